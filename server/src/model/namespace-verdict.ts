/**
 * The verdict about one name in one namespace, and the one table that makes it. `available` is true for no rule: no
 * namespace proves that a name can be registered.
 */
export const NAMESPACE_GROUPS = ['packages', 'code'] as const
export type NamespaceGroup = (typeof NAMESPACE_GROUPS)[number]

export const NAMESPACE_STATUSES = ['available', 'taken', 'reserved', 'invalid', 'unknown'] as const
export type NamespaceStatus = (typeof NAMESPACE_STATUSES)[number]

const STATUS_OF = {
  /** There is an entry of this name, or of one that the namespace treats as the same. */
  exists: 'taken',
  /** There is an entry whose name the namespace treats as too similar. */
  similar_exists: 'taken',
  /** A word that the namespace keeps for itself. */
  reserved_word: 'reserved',
  /** The namespace does not allow such names. */
  invalid_name: 'invalid',
  /** The namespace shows no such entry, which does not prove that the name can be registered. */
  not_found: 'unknown',
  /** No response in time, or a failed one. */
  no_answer: 'unknown',
  /** The namespace refuses requests, or its budget is used up. */
  rate_limited: 'unknown',
  /** The response is not what the API documents. */
  malformed_answer: 'unknown',
  /** The operator has switched the namespace off. */
  switched_off: 'unknown',
  /** The request has more names than are looked up for one request. */
  not_asked: 'unknown',
} as const satisfies Record<string, NamespaceStatus>

export type NamespaceRule = keyof typeof STATUS_OF
export const NAMESPACE_RULES = Object.keys(STATUS_OF) as readonly NamespaceRule[]

export interface NamespaceVerdict {
  readonly namespace: string
  /** The name that was looked up. */
  readonly label: string
  readonly status: NamespaceStatus
  readonly rule: NamespaceRule
  /** Empty if nothing was asked. */
  readonly sources: readonly string[]
  /** Milliseconds since 1970. */
  readonly checkedAt: number
  readonly expiresAt: number
  /** Where a person can look. */
  readonly url: string
}

/** What the namespaces of each group say about one name. */
export type NameHandles = Readonly<Record<NamespaceGroup, readonly NamespaceVerdict[]>>

export function statusOf(rule: NamespaceRule): NamespaceStatus {
  return STATUS_OF[rule]
}
