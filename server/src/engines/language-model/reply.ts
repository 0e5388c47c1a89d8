/** Reads a model's reply as it arrives: Server-Sent Events of the protocol, or one JSON document. */
import { depthOf } from '../../model/json-depth.ts'
import type { ModelProvider } from './provider.ts'

export interface ReplyReader {
  /** Adds bytes of the response. Returns the text that they complete. */
  add(piece: Buffer): string
  /** The response has ended: returns the rest of the text. */
  end(): string
  /** Whether any of it was of the protocol. */
  readonly isReadable: boolean
  readonly isDeclined: boolean
}

const DEEPEST = 32
const END = '[DONE]'

export function createReplyReader({ eventOf }: Pick<ModelProvider, 'eventOf'>): ReplyReader {
  const decoder = new TextDecoder()
  let rest = ''
  let isStream: boolean | undefined
  let isReadable = false
  let isDeclined = false

  function read(json: string): string {
    const event = eventOf(parse(json))
    if (!event) return ''
    isReadable = true
    isDeclined ||= event.isDeclined === true
    return event.text ?? ''
  }

  function readLines(lines: readonly string[]): string {
    return lines
      .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trim()] : []))
      .map((data) => (data === END ? '' : read(data)))
      .join('')
  }

  return {
    add(piece) {
      const text = decoder.decode(piece, { stream: true })
      // Nothing before it has any meaning.
      const added = rest === '' ? text.trimStart() : text
      if (added === '') return ''
      isStream ??= !/^[[{<]/.test(added)
      // Only what is new is searched: a reply without line breaks may be long, and come in many pieces.
      const end = isStream ? added.lastIndexOf('\n') : -1
      if (end < 0) {
        rest += added
        return ''
      }
      const lines = (rest + added.slice(0, end)).split(/\r?\n/)
      rest = added.slice(end + 1)
      return readLines(lines)
    },
    end: () => (isStream === true ? readLines([rest]) : read(rest)),
    get isReadable() {
      return isReadable
    },
    get isDeclined() {
      return isDeclined
    },
  }
}

function parse(json: string): unknown {
  if (depthOf(json) > DEEPEST) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
