/**
 * Every SQL statement in the source, as text: literals that begin with a verb of SQL, with what is put into them.
 *
 * `${NAME}` is replaced by the literal that NAME was last given above, in the same file or in the one it is imported
 * from; whatever else stands between the braces becomes a blank, except that of two literals each makes a text of its
 * own. The name is that of the `sql('name', …)` the literal is in, or whose second argument it was given a name for.
 *
 * Never: runs anything. A statement that is put together in another way is not seen, so a call of `sql` for which no
 * text was found is reported (`unread`), too.
 */
import { posix } from 'node:path'
import type { Token } from '../layers/tokens.ts'
import { tokenize } from '../layers/tokens.ts'

export interface Found {
  readonly file: string
  readonly line: number
  /** Undefined where no `sql` gave it one. */
  readonly name: string | undefined
  readonly text: string
}

export interface Collected {
  readonly statements: readonly Found[]
  readonly unread: readonly { readonly file: string; readonly line: number; readonly name: string }[]
}

const VERB = /^\s*(?:SELECT|INSERT\s+INTO|UPDATE\s+\S+|DELETE\s+FROM|WITH|MERGE|LOCK|LISTEN|NOTIFY|UNLISTEN)\b/
const DEEPEST = 6
const OPENING = new Set(['(', '[', '{', '${'])
const CLOSING = new Set([')', ']', '}'])

interface Literal {
  /** Of its first token. */
  readonly at: number
  readonly end: number
  readonly texts: readonly string[]
}

/** Sources by path from the repository's root. */
export function collectStatements(sources: ReadonlyMap<string, string>): Collected {
  const files = new Map([...sources].map(([file, text]) => [file, tokenize(text).filter(isCode)] as const))
  const statements: Found[] = []
  const unread: { file: string; line: number; name: string }[] = []

  for (const [file, tokens] of files) {
    const found = literalsOf(tokens, (name, before, depth) => meaningOf(file, name, before, depth))
    const named = new Map<number, string>()
    for (const call of callsOf(tokens)) {
      const given = tokens[call.second]
      const target =
        given?.kind === 'word' ? declarationOf(tokens, given.text, call.second) : { from: call.second, to: call.end }
      const inside = found.filter(({ at }) => target !== undefined && at >= target.from && at < target.to)
      for (const { at } of inside) named.set(at, call.name)
      if (!inside.some(({ texts }) => texts.some((text) => VERB.test(text))))
        unread.push({ file, line: tokens[call.second]?.line ?? 0, name: call.name })
    }
    for (const { at, texts } of found) {
      for (const text of texts.filter((one) => VERB.test(one))) {
        statements.push({ file, line: tokens[at]?.line ?? 0, name: named.get(at), text })
      }
    }
  }
  return { statements, unread }

  /** What a name stands for where it is used: every literal that it may have been given. */
  function meaningOf(file: string, name: string, before: number, depth: number): readonly string[] {
    const tokens = files.get(file)
    if (!tokens || depth > DEEPEST) return []
    const declared = declarationOf(tokens, name, before)
    if (declared) {
      const resolve: Resolve = (other, at, more) => meaningOf(file, other, at, more)
      return literalsOf(tokens.slice(0, declared.to), resolve, declared.from, depth + 1).flatMap(({ texts }) => texts)
    }
    const from = importedFrom(tokens, name)
    if (from === undefined) return []
    const other = posix.join(posix.dirname(file), from)
    return meaningOf(other, name, files.get(other)?.length ?? 0, depth + 1)
  }
}

type Resolve = (name: string, before: number, depth: number) => readonly string[]

function isCode({ kind }: Token): boolean {
  return kind !== 'comment'
}

/** Outermost literals, each with all the texts that it may be. */
function literalsOf(tokens: readonly Token[], resolve: Resolve, from = 0, depth = 0): Literal[] {
  const found: Literal[] = []
  for (let at = from; at < tokens.length; at += 1) {
    const literal = readLiteral(tokens, at, resolve, depth)
    if (!literal) continue
    found.push(literal)
    at = literal.end - 1
  }
  return found
}

function readLiteral(tokens: readonly Token[], at: number, resolve: Resolve, depth: number): Literal | undefined {
  const first = tokens[at]
  if (first?.kind === 'string') return { at, end: at + 1, texts: [first.text] }
  if (first?.kind !== 'template') return undefined
  let texts = [first.text]
  let end = at + 1
  while (tokens[end]?.kind === 'mark' && tokens[end]?.text === '${') {
    const inner = end + 1
    end = inner
    for (let open = 0; ; end += 1) {
      const token = tokens[end]
      if (!token) return { at, end, texts }
      if (open === 0 && token.kind === 'rest') break
      if (token.kind === 'mark' && token.text === '${') open += 1
      else if (token.kind === 'rest') open -= 1
    }
    // A brace may stand between what was put in and the rest of the text.
    const given = tokens.slice(inner, end)
    const [only] = given
    const isName = given.filter(({ text }) => text !== '}').length === 1 && only?.kind === 'word'
    const put = isName
      ? resolve(only.text, at, depth + 1)
      : literalsOf(given, resolve, 0, depth + 1).flatMap((literal) => literal.texts)
    const rest = tokens[end]?.text ?? ''
    texts = texts.flatMap((text) => (put.length === 0 ? [' … '] : put).map((one) => text + one + rest)).slice(0, 32)
    end += 1
  }
  return { at, end, texts }
}

interface SqlCall {
  readonly name: string
  /** Where its second argument begins, and where the call ends. */
  readonly second: number
  readonly end: number
}

function callsOf(tokens: readonly Token[]): SqlCall[] {
  return tokens.flatMap((token, at) => {
    if (token.kind !== 'word' || token.text !== 'sql' || tokens[at - 1]?.text === 'function') return []
    const open = behindTypes(tokens, at + 1)
    if (tokens[open]?.text !== '(') return []
    const comma = nextAt(tokens, open + 1, ',')
    const end = nextAt(tokens, comma + 1, ',')
    const name = tokens[open + 1]?.text ?? ''
    return [{ name, second: comma + 1, end }]
  })
}

/** Past `<…>`, if there is one. */
function behindTypes(tokens: readonly Token[], at: number): number {
  if (tokens[at]?.text !== '<') return at
  let depth = 0
  for (let i = at; i < tokens.length; i += 1) {
    if (tokens[i]?.kind === 'mark' && tokens[i]?.text === '<') depth += 1
    if (tokens[i]?.kind === 'mark' && tokens[i]?.text === '>') depth -= 1
    if (depth === 0) return i + 1
  }
  return tokens.length
}

/** The next such mark on this level, or the end of it. */
function nextAt(tokens: readonly Token[], from: number, mark: string): number {
  let depth = 0
  for (let at = from; at < tokens.length; at += 1) {
    const { kind, text } = tokens[at] ?? { kind: 'mark', text: '' }
    if (kind === 'rest') depth -= 1
    if (kind !== 'mark') continue
    if (depth === 0 && (text === mark || CLOSING.has(text))) return at
    if (OPENING.has(text)) depth += 1
    if (CLOSING.has(text)) depth -= 1
  }
  return tokens.length
}

/** What the nearest `const name =` above was given, or else the one below: until the next statement begins. */
function declarationOf(
  tokens: readonly Token[],
  name: string,
  before: number,
): { from: number; to: number } | undefined {
  const declared = tokens.flatMap((token, at) => {
    const isNew = ['const', 'let'].includes(tokens[at - 1]?.text ?? '')
    return isNew && token.kind === 'word' && token.text === name ? [at] : []
  })
  const at = declared.findLast((one) => one < before) ?? declared[0]
  if (at === undefined) return undefined
  // for (const name of [ … ])
  if (tokens[at + 1]?.text === 'of') return { from: at + 2, to: nextAt(tokens, at + 2, ')') }
  const from = nextAt(tokens, at + 1, '=') + 1
  let to = from
  for (let depth = 0; to < tokens.length; to += 1) {
    const { kind, text } = tokens[to] ?? { kind: 'mark', text: '' }
    if (depth === 0 && to > from && kind === 'word' && BEGINS.has(text)) break
    if (kind === 'rest') depth -= 1
    if (kind === 'mark' && OPENING.has(text)) depth += 1
    if (kind === 'mark' && CLOSING.has(text)) depth -= 1
    if (depth < 0) break
  }
  return { from, to }
}

const BEGINS = new Set(
  'const let return await export function interface type if for while throw try async void'.split(' '),
)

function importedFrom(tokens: readonly Token[], name: string): string | undefined {
  for (const [at, token] of tokens.entries()) {
    if (token.text !== 'import' || tokens[at + 1]?.text === '(') continue
    const from = tokens.findIndex((one, i) => i > at && one.text === 'from')
    const names = tokens.slice(at, from).map(({ text }) => text)
    if (names.includes(name)) return tokens[from + 1]?.text
  }
  return undefined
}
