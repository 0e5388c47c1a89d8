/**
 * Parses the text of a line: code, links, strong, emphasis, and plain text.
 *
 * A strict subset of CommonMark, with only what our pages need. Markup that another renderer would interpret and that
 * is not in the subset (HTML, images, references, entities, bare addresses) is refused rather than shown as text. So a
 * page looks the same here and wherever its source is read. The result contains no HTML; the renderer must escape the
 * text.
 */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em'; readonly inside: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly inside: readonly Inline[] }

/** A construct outside the subset. */
export class UnsupportedMarkdown extends Error {
  readonly line: number

  constructor(line: number, advice: string) {
    super(`line ${line}: ${advice}`)
    this.line = line
  }
}

type Mark = '**' | '_' | '*'

const CODE = /(`+)(?!`)([^]*?[^`])\1(?!`)/y
const ESCAPE = /\\([!-/:-@[-`{-~])/y
const LINK = /\[((?:[^[\]`]|`[^`]*`|\[[^[\]]*\])*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)/y
const SAFE_HREF = /^(?:https?:\/\/|mailto:|#|(?![a-z][a-z0-9+.-]*:|\/\/)[\w./%?=&-])/i
const PLAIN = /[^`\\[\]!*_<&~h]+|./suy

/** Refused constructs, and what to write instead. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/!\[/y, 'images are not supported: say it in words'],
  [/\[\^/y, 'footnotes are not supported: say it where it belongs'],
  [/\[[^\]]*\]\[/y, 'links by reference are not supported: write [text](address)'],
  [/\[[^\]]*\]\([^)]*\s[^)]*\)/y, 'a link has an address without spaces, and no title'],
  [/<(?=[a-z/!?])/iy, 'HTML is not supported: put it in backticks'],
  [/&(?:#\d+|#x[\da-f]+|\w+);/iy, 'entities are not supported: write the character itself'],
  [/https?:\/\/\S/iy, 'a bare address: put it in backticks or make it a link'],
  [/~~/y, 'strikethrough is not supported'],
  [/\\\n| {2}\n/y, 'line breaks are not supported: begin a new paragraph'],
]

export function parseInline(text: string, line: number): Inline[] {
  let at = 0
  const refuse = (advice: string): never => {
    throw new UnsupportedMarkdown(line + text.slice(0, at).split('\n').length - 1, advice)
  }
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at += found[0].length
    return found
  }
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
  const isSpace = (character: string | undefined) => character === undefined || /\s/.test(character)

  /** The marker at this position, if it opens or closes something. */
  function markHere(open: readonly Mark[]): { mark: Mark; closes: boolean } | undefined {
    const mark = text.startsWith('**', at) ? '**' : text[at] === '_' ? '_' : text[at] === '*' ? '*' : undefined
    if (mark === undefined) return undefined
    const [before, after] = [text[at - 1], text[at + mark.length]]
    const canClose = !isSpace(before) && !(mark === '_' && isWord(after))
    if (open.at(-1) === mark && canClose) return { mark, closes: true }
    if (!isSpace(after) && !isWord(before)) return { mark, closes: false }
    return undefined
  }

  function inlines(open: readonly Mark[]): Inline[] {
    const found: Inline[] = []
    const say = (words: string) => {
      const last = found.at(-1)
      if (last?.kind === 'text') found[found.length - 1] = { kind: 'text', text: last.text + words }
      else found.push({ kind: 'text', text: words })
    }
    while (at < text.length) {
      const code = take(CODE)
      if (code) {
        found.push({ kind: 'code', text: unpad((code[2] ?? '').replaceAll('\n', ' ')) })
        continue
      }
      if (text[at] === '`') refuse('a backtick without its end')
      for (const [pattern, advice] of REFUSED) if (take(pattern)) refuse(advice)
      const escaped = take(ESCAPE)
      if (escaped) {
        say(escaped[1] ?? '')
        continue
      }
      const link = take(LINK)
      if (link) {
        const [, words = '', href = ''] = link
        if (!SAFE_HREF.test(href)) refuse(`a link may lead to a page, an anchor, or by http, https and mailto: ${href}`)
        const inside = parseInline(words, line)
        if (inside.some(({ kind }) => kind === 'link')) refuse('a link inside a link')
        found.push({ kind: 'link', href, inside })
        continue
      }
      const mark = markHere(open)
      if (mark) {
        at += mark.mark.length
        if (mark.closes) return found
        const inside = inlines([...open, mark.mark])
        found.push({ kind: mark.mark === '**' ? 'strong' : 'em', inside })
        continue
      }
      say(take(PLAIN)?.[0] ?? '')
    }
    if (open.length > 0) refuse(`${open.at(-1)} without its end: put it in backticks if it is meant`)
    return found
  }
  return inlines([])
}

/** The text without markup. */
export function plainText(inlines: readonly Inline[]): string {
  return inlines.map((one) => ('text' in one ? one.text : plainText(one.inside))).join('')
}

/** CommonMark §6.1: one space at both ends only separates the code from its backticks. */
function unpad(code: string): string {
  return /^ .*\S.* $/.test(code) ? code.slice(1, -1) : code
}
