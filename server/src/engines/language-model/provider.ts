/**
 * What a provider file declares: how a request to its servers is written, and how their replies are read.
 *
 * A provider is one file here and one line in `all.ts`. The configuration, its documentation and the doctor follow from
 * the declaration.
 */
export interface ModelPrompt {
  readonly instructions: string
  readonly message: string
}

export interface ModelRequest {
  /** Added to the base URL. */
  readonly path: string
  readonly body: object
}

/** One event of a streamed reply, or a whole reply. */
export interface ModelEvent {
  readonly text?: string | undefined
  /** The model refused to answer. */
  readonly isDeclined?: boolean | undefined
}

export interface ModelProvider<Kind extends string = string> {
  readonly kind: Kind
  /** One line for the manual. */
  readonly about: string
  /** Undefined if the operator must set one. */
  readonly defaultUrl: string | undefined
  readonly isKeyRequired: boolean
  /** The headers that carry the key. */
  headersOf(key: string | undefined): Readonly<Record<string, string>>
  requestOf(call: {
    readonly model: string
    readonly url: string
    readonly prompt: ModelPrompt
    readonly mostTokens: number
  }): ModelRequest
  /** Undefined for a document that is not of the protocol. */
  eventOf(document: unknown): ModelEvent | undefined
}

export function defineProvider<const Kind extends string>(provider: ModelProvider<Kind>): ModelProvider<Kind> {
  return provider
}
