/**
 * One source file as the rules see it: its tokens, its comments, and every way it names another module.
 *
 * `import`, `import type`, `export … from`, `import('…')` as a call and as a type all count alike: a type import ties
 * two files together as firmly as a value does.
 */
import { type Token, tokenize } from './tokens.ts'

export interface Import {
  /** Undefined when `import(…)` is given something other than one plain literal. */
  readonly specifier: string | undefined
  readonly line: number
  /** Imported names as the other module spells them; `default` and `*` for those forms. */
  readonly names: readonly string[]
}

export interface Module {
  /** From `server/src/`. */
  readonly path: string
  readonly lines: number
  readonly startsWithHeader: boolean
  readonly tokens: readonly Token[]
  readonly comments: readonly Token[]
  readonly imports: readonly Import[]
  /** Nothing in it but imports and exports of what others made. */
  readonly isBarrel: boolean
}

export function readModule(path: string, text: string): Module {
  const all = tokenize(text)
  const tokens = all.filter((token) => token.kind !== 'comment')
  const imports: Import[] = []
  let exported = 0
  let own = 0
  for (let at = 0; at < tokens.length;) {
    const found = readImport(tokens, at)
    if (found?.import !== undefined) imports.push(found.import)
    if (found?.statement === true && tokens[at]?.text === 'export') exported++
    if (found?.statement !== true && tokens[at]?.text !== ';') own++
    at = found?.next ?? at + 1
  }
  const first = all.find((token) => !token.text.startsWith('#!'))
  return {
    path,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    startsWithHeader: first?.kind === 'comment' && first.text.startsWith('/**'),
    tokens,
    comments: all.filter((token) => token.kind === 'comment'),
    imports,
    isBarrel: exported > 0 && own === 0,
  }
}

interface Found {
  readonly import?: Import
  /** A whole import or export statement, not an expression inside one of our own. */
  readonly statement: boolean
  readonly next: number
}

function readImport(tokens: readonly Token[], at: number): Found | undefined {
  const token = tokens[at]
  if (token?.kind !== 'word' || ['.', '?.'].includes(tokens[at - 1]?.text ?? '')) return undefined
  if (token.text === 'import' && isMark(tokens[at + 1], '(')) return readCall(tokens, at, token.line)
  if (token.text === 'import' && tokens[at + 1]?.kind === 'string') {
    return { import: { specifier: tokens[at + 1]?.text, line: token.line, names: [] }, statement: true, next: at + 2 }
  }
  if (token.text === 'import' || token.text === 'export') return readClause(tokens, at, token)
  return undefined
}

function readCall(tokens: readonly Token[], at: number, line: number): Found {
  const argument = tokens[at + 2]
  const closed = isMark(tokens[at + 3], ')') || isMark(tokens[at + 3], ',')
  const literal = closed && (argument?.kind === 'string' || argument?.kind === 'template')
  return {
    import: { specifier: literal ? argument.text : undefined, line, names: ['*'] },
    statement: false,
    next: at + 2,
  }
}

/** `import a, { b as c } from 'x'`, `export * as d from 'x'`, `export { e }`: words and braces up to the module's name. */
function readClause(tokens: readonly Token[], at: number, { text: keyword, line }: Token): Found | undefined {
  const names: string[] = []
  let inBraces = false
  let next = at + 1
  for (; next < tokens.length; next++) {
    const token = tokens[next] as Token
    const before = tokens[next - 1]?.text ?? ''
    if (token.kind === 'string' && before === 'from') {
      return { import: { specifier: token.text, line, names }, statement: true, next: next + 1 }
    }
    if (isMark(token, '{')) inBraces = true
    else if (isMark(token, '}')) {
      inBraces = false
      if (keyword === 'export' && tokens[next + 1]?.text !== 'from') return { statement: true, next: next + 1 }
    } else if (isMark(token, '*')) names.push('*')
    else if (inBraces && (token.kind === 'word' || token.kind === 'string')) {
      if (['{', ',', 'type'].includes(before) && !isTypeWord(token, tokens[next + 1])) names.push(token.text)
    } else if (token.kind === 'word') {
      const isBinding = keyword === 'import' && !isTypeWord(token, tokens[next + 1])
      if (isBinding && token.text !== 'from' && token.text !== 'as' && before !== 'as') names.push('default')
      if (keyword === 'export' && !['type', 'from', 'as'].includes(token.text) && before !== 'as') return undefined
    } else if (!isMark(token, ',')) return undefined
  }
  return undefined
}

function isTypeWord(token: Token, next: Token | undefined): boolean {
  return token.text === 'type' && next?.text !== 'from' && next?.text !== ',' && next?.text !== '}'
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text
}
