/**
 * Splits the body of a batch while it arrives: takes a text in pieces and cuts it into the values of the outermost
 * object and, for one of its fields, into the elements of the array there.
 *
 * JSON.parse needs the whole text and makes objects of all of it at once, which take several times its size. This
 * parser follows only the outer structure, by counting brackets outside of strings, and passes each element on as text.
 * The receiver parses it, which also finds out whether the element is valid JSON.
 *
 * Knows nothing of requests. Fails with invalid_json when the outer structure is not JSON.
 */
import { ApiError } from '../../errors.ts'

/** A text is undefined if it was longer than allowed. Then it was not checked whether it is JSON. */
export interface Parts {
  readonly onElement: (text: string | undefined) => void
  /** Any field but the list, and also the list field if its value is no array. */
  readonly onField: (name: string, text: string | undefined) => void
  readonly onList: () => void
  /** The body is not an object. */
  readonly onOther: () => void
}

export interface Splitter {
  push(piece: string): void
  /** The body is complete. */
  end(): void
}

/** What may come next, besides whitespace. */
type BodyPlace =
  | 'object'
  | 'name or end'
  | 'name'
  | 'colon'
  | 'value'
  | 'comma or end'
  | 'element or end of list'
  | 'element'
  | 'comma or end of list'
  | 'nothing'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACES = new Set([0x20, 0x0a, 0x0d, 0x09])
/** The characters that end a number or a literal. */
const ENDS = new Set([...SPACES, ...codesOf(',:[]{}"')])

export function createSplitter(list: string, { mostLength }: { mostLength: number }, parts: Parts): Splitter {
  let place: BodyPlace = 'object'
  let name = ''
  // The value that is being read, if any: its kind, its text so far, and the state within it.
  let kind: 'container' | 'string' | 'word' | undefined
  let buffered: string | undefined
  let depth = 0
  let inString = false
  let isEscaped = false

  function push(piece: string): void {
    let at = 0
    while (at < piece.length) {
      if (kind === undefined) {
        if (step(piece.charCodeAt(at))) at++
        continue
      }
      const to = endIn(piece, at)
      keep(piece.slice(at, to))
      at = to
      // endIn has set it, which TypeScript cannot see.
      if ((kind as string | undefined) === undefined) take(buffered)
    }
  }

  /** Handles one character of the outer structure. Returns false when a value begins with it. */
  function step(char: number): boolean {
    if (SPACES.has(char)) return true
    switch (place) {
      case 'object':
        if (char === code('{')) place = 'name or end'
        else if (ENDS.has(char) && char !== code('[') && char !== QUOTE) throw new ApiError('invalid_json')
        else parts.onOther()
        return true
      case 'name or end':
      case 'name':
        if (char === code('}') && place === 'name or end') return moveTo('nothing')
        return char === QUOTE ? begin(char) : fail()
      case 'colon':
        return char === code(':') ? moveTo('value') : fail()
      case 'value':
        if (name !== list || char !== code('[')) return begin(char)
        parts.onList()
        return moveTo('element or end of list')
      case 'element or end of list':
        return char === code(']') ? moveTo('comma or end') : begin(char)
      case 'element':
        return begin(char)
      case 'comma or end':
        return char === code(',') ? moveTo('name') : char === code('}') ? moveTo('nothing') : fail()
      case 'comma or end of list':
        return char === code(',') ? moveTo('element') : char === code(']') ? moveTo('comma or end') : fail()
      default:
        return fail()
    }
  }

  function begin(char: number): false {
    kind = char === code('{') || char === code('[') ? 'container' : char === QUOTE ? 'string' : 'word'
    if (kind === 'word' && ENDS.has(char)) fail()
    buffered = ''
    depth = 0
    return false
  }

  /** The index where the value ends in this piece, or the end of the piece. */
  function endIn(piece: string, from: number): number {
    for (let at = from; at < piece.length; at++) {
      const char = piece.charCodeAt(at)
      if (inString) {
        if (isEscaped) isEscaped = false
        else if (char === BACKSLASH) isEscaped = true
        else if (char === QUOTE) {
          inString = false
          if (kind === 'string') return ended(at + 1)
        }
      } else if (kind === 'word') {
        if (ENDS.has(char)) return ended(at)
      } else if (char === QUOTE) inString = true
      else if (char === code('{') || char === code('[')) depth++
      else if ((char === code('}') || char === code(']')) && --depth === 0) return ended(at + 1)
    }
    return piece.length
  }

  function ended(at: number): number {
    kind = undefined
    return at
  }

  function keep(text: string): void {
    if (buffered === undefined) return
    buffered = buffered.length + text.length > mostLength ? undefined : buffered + text
  }

  function take(text: string | undefined): void {
    switch (place) {
      case 'name or end':
      case 'name':
        name = text === undefined ? '…' : parseName(text)
        place = 'colon'
        return
      case 'value':
        place = 'comma or end'
        parts.onField(name, text)
        return
      default:
        place = 'comma or end of list'
        parts.onElement(text)
    }
  }

  function moveTo(next: BodyPlace): true {
    place = next
    return true
  }

  return {
    push,
    end() {
      if (place !== 'nothing') fail()
    },
  }
}

function parseName(text: string): string {
  try {
    return JSON.parse(text) as string
  } catch (cause) {
    throw new ApiError('invalid_json', { cause })
  }
}

function fail(): never {
  throw new ApiError('invalid_json')
}

function code(char: string): number {
  return char.charCodeAt(0)
}

function codesOf(text: string): number[] {
  return Array.from(text, code)
}
