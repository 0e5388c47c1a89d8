/**
 * The body of a batch, taken apart while it arrives: a text that comes in pieces, cut into the values of the outermost
 * object and, for one of its fields, into the elements of the array there.
 *
 * JSON.parse wants the whole text and makes objects of all of it at once, which take several times its size. Here only
 * the frame is followed, by counting brackets outside of strings, and each element is handed on as text: whoever gets
 * it parses it, which is also what finds out whether it is JSON inside.
 *
 * Knows nothing of requests. Fails with invalid_json when the frame is not JSON.
 */
import { ApiError } from '../../errors.ts'

/** A text is undefined where it was longer than it may be: then nobody has looked whether it is JSON. */
export interface Parts {
  readonly onElement: (text: string | undefined) => void
  /** Any field but the list; also that one, where it is no list. */
  readonly onField: (name: string, text: string | undefined) => void
  readonly onList: () => void
  /** The body is something else than an object. */
  readonly onOther: () => void
}

export interface Splitter {
  push(piece: string): void
  /** There is no more. */
  end(): void
}

/** What may come next, besides spaces. */
type Place =
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
/** Of a number or a word. */
const ENDS = new Set([...SPACES, ...codesOf(',:[]{}"')])

export function createSplitter(list: string, { mostLength }: { mostLength: number }, parts: Parts): Splitter {
  let place: Place = 'object'
  let name = ''
  // The value that is being read, if one is: what it is, its text so far, and where in it we are.
  let kind: 'container' | 'string' | 'word' | undefined
  let held: string | undefined
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
      // Set by endIn, which TypeScript cannot know.
      if ((kind as string | undefined) === undefined) take(held)
    }
  }

  /** One character of the frame; false when a value begins with it. */
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
    held = ''
    depth = 0
    return false
  }

  /** Where the value ends in this piece; where the piece ends when it does not. */
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
    if (held === undefined) return
    held = held.length + text.length > mostLength ? undefined : held + text
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

  function moveTo(next: Place): true {
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
