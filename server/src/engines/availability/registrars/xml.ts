/**
 * A small strict XML parser for Namecheap, safe against hostile input.
 *
 * It supports elements, attributes, namespaces, text, CDATA, comments, the five predefined entities and character
 * references. It rejects the rest: document types (and with them every entity bomb and every external entity),
 * processing instructions, names beyond ASCII, control characters, too many or too deeply nested elements. One pass,
 * no recursion, no backtracking: the time is linear in the length. Prefixes of attributes are not resolved.
 */
export interface Element {
  readonly name: string
  /** The namespace's URI; empty if there is none. */
  readonly space: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly Element[]
  /** Its own text, without that of its children. */
  readonly text: string
}

interface Open {
  readonly tag: string
  readonly spaces: ReadonlyMap<string, string>
  readonly element: Omit<Element, 'children' | 'text'> & { readonly children: Element[]; text: string }
}

class Refused extends Error {}

// The deepest response of these protocols has seven levels.
const MAX_DEPTH = 32
// No element of theirs has more than a dozen attributes.
const MAX_ATTRIBUTES = 64
// A check of 200 names with fees is about 3,000 elements.
const MAX_ELEMENTS = 20_000

// oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/
const DECLARATION =
  /^\ufeff?<\?xml version=(["'])1\.[01]\1(?:\s+encoding=(["'])(?:utf-8|us-ascii)\2)?(?:\s+standalone=(["'])(?:yes|no)\3)?\s*\?>/i
const START = /<([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)/y
const ATTRIBUTE = /[ \t\r\n]+([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)[ \t\r\n]*=[ \t\r\n]*(?:"([^"<]*)"|'([^'<]*)')/y
const START_END = /[ \t\r\n]*(\/?)>/y
const END = /<\/([A-Za-z_][\w.:-]*)[ \t\r\n]*>/y
const REFERENCE = /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g
const PREDEFINED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** The root of a document; undefined for anything this parser rejects. */
export function findXml(text: string): Element | undefined {
  try {
    return readDocument(text)
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

export function childrenOf(element: Element, space: string, name: string): readonly Element[] {
  return element.children.filter((child) => child.name === name && child.space === space)
}

/** The only child of that name; undefined if there is none, or more than one. */
export function childOf(element: Element, space: string, name: string): Element | undefined {
  const [first, second] = childrenOf(element, space, name)
  return second === undefined ? first : undefined
}

function readDocument(text: string): Element {
  if (CONTROL.test(text)) throw new Refused()
  const root: Open = { tag: '', spaces: new Map(), element: makeElement('', '', new Map()) }
  const stack = [root]
  let elements = 0
  let at = DECLARATION.exec(text)?.[0].length ?? 0

  while (at < text.length) {
    const open = stack.at(-1) ?? root
    if (text[at] !== '<') {
      const end = endOf(text, '<', at, text.length)
      open.element.text += readText(text.slice(at, end))
      at = end
    } else if (text.startsWith('<!--', at)) {
      at = endOf(text, '-->', at + 4) + 3
    } else if (text.startsWith('<![CDATA[', at)) {
      const end = endOf(text, ']]>', at + 9)
      open.element.text += text.slice(at + 9, end)
      at = end + 3
    } else if (text[at + 1] === '/') {
      const tag = match(END, text, at)
      if (stack.length === 1 || tag[1] !== open.tag) throw new Refused()
      stack.pop()
      at = END.lastIndex
    } else {
      if (++elements > MAX_ELEMENTS || stack.length > MAX_DEPTH) throw new Refused()
      const started = readStart(text, at, open.spaces)
      open.element.children.push(started.open.element)
      if (!started.isEmpty) stack.push(started.open)
      at = started.end
    }
  }

  const [document, second] = root.element.children
  if (stack.length !== 1 || document === undefined || second !== undefined) throw new Refused()
  if (root.element.text.trim() !== '') throw new Refused()
  return document
}

function readStart(text: string, start: number, outer: ReadonlyMap<string, string>) {
  const tag = match(START, text, start)[1] ?? ''
  const attributes = new Map<string, string>()
  let spaces = outer
  let at = START.lastIndex
  for (let found = findMatch(ATTRIBUTE, text, at); found !== null; found = findMatch(ATTRIBUTE, text, at)) {
    const [, name = '', inDouble, inSingle] = found
    const value = readText(inDouble ?? inSingle ?? '')
    if (attributes.has(name) || attributes.size === MAX_ATTRIBUTES) throw new Refused()
    attributes.set(name, value)
    if (name === 'xmlns') spaces = new Map([...spaces, ['', value]])
    if (name.startsWith('xmlns:')) spaces = new Map([...spaces, [name.slice(6), value]])
    at = ATTRIBUTE.lastIndex
  }
  const isEmpty = match(START_END, text, at)[1] === '/'
  const colon = tag.indexOf(':')
  const prefix = tag.slice(0, Math.max(colon, 0))
  const space = spaces.get(prefix)
  if (space === undefined && prefix !== '') throw new Refused()
  const element = makeElement(tag.slice(colon + 1), space ?? '', attributes)
  const open: Open = { tag, spaces, element }
  return { open, isEmpty, end: START_END.lastIndex }
}

function makeElement(name: string, space: string, attributes: ReadonlyMap<string, string>): Open['element'] {
  return { name, space, attributes, children: [], text: '' }
}

function readText(raw: string): string {
  if (!raw.includes('&')) return raw
  if (raw.replace(REFERENCE, '').includes('&')) throw new Refused()
  return raw.replace(REFERENCE, (_, name: string | undefined, decimal: string | undefined, hex: string | undefined) => {
    if (name !== undefined) return PREDEFINED[name] ?? ''
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    const isSurrogate = code >= 0xd800 && code <= 0xdfff
    if (code > 0x10ffff || isSurrogate || CONTROL.test(String.fromCodePoint(code))) throw new Refused()
    return String.fromCodePoint(code)
  })
}

/** The next position of `mark`; throws if there is none, unless `otherwise` is given. */
function endOf(text: string, mark: string, from: number, otherwise?: number): number {
  const end = text.indexOf(mark, from)
  if (end >= 0) return end
  if (otherwise === undefined) throw new Refused()
  return otherwise
}

function findMatch(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray {
  const found = findMatch(pattern, text, at)
  if (found === null) throw new Refused()
  return found
}
