/**
 * TypeScript text → tokens, only as deep as the layer rules need.
 *
 * The rules ask about words in code ("is `process.env` read here?") and about literals ("does this text start with
 * SELECT?"), so the one thing that must be right is what is code, what is a literal and what is a comment. Literals
 * and regular expressions are therefore read whole; everything else falls into words, numbers and marks.
 *
 * A `/` is a division after a value and a regular expression elsewhere. After `)` and `}` that cannot be known without
 * parsing; it is taken as a division, because a statement that starts with a regular expression is not our style.
 *
 * This never fails: text that is not TypeScript gives odd tokens, and `tsc` is the one to say so.
 */
export interface Token {
  /** A template is one `template` token for its first piece and one `rest` for each piece after a `${…}`. */
  readonly kind: 'word' | 'number' | 'string' | 'template' | 'rest' | 'regex' | 'mark' | 'comment'
  /** For literals what stands between the quotes, escapes as written. */
  readonly text: string
  readonly line: number
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|#![^\n]*/y
const WORD = /[\p{ID_Start}$_#@][\p{ID_Continue}$]*/uy
const NUMBER = /\.?\d[\w.]*/y
const STRING = /'(?:\\[\s\S]|[^'\\\n])*'?|"(?:\\[\s\S]|[^"\\\n])*"?/y
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
const PIECE = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*/y
const MARK = /=>|\?\?=?|\?\.|&&=?|\|\|=?|\.\.\.|[=!]==?|\S/y

const WORDS_BEFORE_REGEX = new Set(
  'return typeof instanceof in of new delete void throw case do else await yield as'.split(' '),
)

export function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  // One entry per open `${`: how many braces are open inside it.
  const substitutions: number[] = []
  let at = 0
  let line = 1
  let last: Token | undefined

  const match = (pattern: RegExp): string => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0] ?? ''
  }
  const take = (kind: Token['kind'], raw: string, text = raw) => {
    const token: Token = { kind, text, line }
    tokens.push(token)
    if (kind !== 'comment') last = token
    move(raw)
  }
  const move = (raw: string) => {
    at += raw.length
    for (const character of raw) if (character === '\n') line++
  }
  const takePiece = (kind: 'template' | 'rest') => {
    move(source[at] ?? '')
    take(kind, match(PIECE))
    if (source.startsWith('${', at)) {
      substitutions.push(0)
      take('mark', '${')
    } else {
      move(source[at] ?? '')
    }
  }
  const takeMark = () => {
    const mark = match(MARK)
    const open = substitutions.at(-1)
    if (mark === '}' && open === 0) {
      substitutions.pop()
      takePiece('rest')
      return
    }
    if (open !== undefined && mark === '{') substitutions[substitutions.length - 1] = open + 1
    if (open !== undefined && mark === '}') substitutions[substitutions.length - 1] = open - 1
    take('mark', mark)
  }

  while (at < source.length) {
    const character = source[at] ?? ''
    const comment = character === '/' || (character === '#' && at === 0) ? match(COMMENT) : ''
    const regex = character === '/' && comment === '' && startsValue(last) ? match(REGEX) : ''
    if (/\s/.test(character)) move(character)
    else if (comment !== '') take('comment', comment)
    else if (regex !== '') take('regex', regex)
    else if (character === '`') takePiece('template')
    else if (character === "'" || character === '"') {
      const raw = match(STRING)
      take('string', raw, raw.slice(1, raw.length > 1 && raw.endsWith(character) ? -1 : undefined))
    } else if (match(WORD) !== '') take('word', match(WORD))
    else if (match(NUMBER) !== '') take('number', match(NUMBER))
    else takeMark()
  }
  return tokens
}

function startsValue(last: Token | undefined): boolean {
  if (last === undefined) return true
  if (last.kind === 'mark') return ![')', ']', '}'].includes(last.text)
  return last.kind === 'word' && WORDS_BEFORE_REGEX.has(last.text)
}
