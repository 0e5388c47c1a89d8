/**
 * Retired words in code, docs and messages: `node scripts/check-words.ts`.
 *
 * `docs/glossary.md` has one word for each thing. This check finds the words it has replaced, so that they do not come
 * back. What counts as a retired word is in `words/retired.ts`; where one is right all the same, `words/allowed.ts` says
 * so with its reason. A reason that nothing needs any more is a violation, too.
 */
import { readFileSync } from 'node:fs'
import { readModule } from './layers/module.ts'
import { listFiles } from './repo-files.ts'
import { reportViolations, type Violation } from './violation.ts'
import { ALLOWED, type Allowed } from './words/allowed.ts'
import { RETIRED_WORDS, type RetiredWord, type TextKind } from './words/retired.ts'

interface Text {
  readonly kind: TextKind
  readonly line: number
  readonly text: string
}

const PATTERNS: Readonly<Record<TextKind, RegExp>> = {
  identifier: patternOf('identifier'),
  comment: patternOf('comment'),
  docs: patternOf('docs'),
  message: patternOf('message'),
}

/** One pattern for all words of a kind: every identifier of the repository is tried. */
function patternOf(kind: TextKind): RegExp {
  const words = RETIRED_WORDS.filter(({ kinds }) => kinds.includes(kind)).map(({ word }) => word)
  return new RegExp(`(?<![\\w-])(${words.join('|')})(?:e?s)?(?![\\w-])`, 'g')
}

/** Keys are paths from the repository root; a file of another kind is passed over. */
export function checkWords(files: ReadonlyMap<string, string>, allowed: readonly Allowed[] = ALLOWED): Violation[] {
  const used = new Set<Allowed>()
  const violations = [...files].flatMap(([file, content]) =>
    textsOf(file, content).flatMap((text) =>
      retiredIn(text).flatMap(({ word, say }): Violation[] => {
        const reasons = allowed.filter((one) => one.files.test(file) && one.words.includes(word))
        for (const reason of reasons) used.add(reason)
        if (reasons.length > 0) return []
        return [{ file, line: text.line, rule: text.kind, advice: `“${word}” is retired: say ${say}` }]
      }),
    ),
  )
  const idle = allowed.filter((one) => !used.has(one))
  return [
    ...violations,
    ...idle.map(({ files: pattern, words }) => ({
      file: 'scripts/words/allowed.ts',
      line: 1,
      rule: 'allowed',
      advice: `nothing needs ${words.join(', ')} in ${pattern.source} any more: remove the entry`,
    })),
  ]
}

function textsOf(file: string, content: string): Text[] {
  if (/\.tsx?$/.test(file)) return codeTexts(file, content)
  if (file.endsWith('.md')) return content.split('\n').map((text, at) => ({ kind: 'docs', line: at + 1, text }))
  if (file.endsWith('.json')) return messageTexts(content)
  return []
}

function codeTexts(file: string, content: string): Text[] {
  const { tokens, comments } = readModule(file, content)
  return [
    ...tokens
      .filter(({ kind }) => kind === 'word')
      .map(({ line, text }): Text => ({ kind: 'identifier', line, text: wordsIn(text) })),
    ...comments.map(({ line, text }): Text => ({ kind: 'comment', line, text })),
  ]
}

/** The values, not the keys: a key is an identifier that translations share. */
function messageTexts(content: string): Text[] {
  return content.split('\n').flatMap((row, at): Text[] => {
    const value = /:\s*"((?:[^"\\]|\\.)*)"/.exec(row)?.[1]
    return value === undefined ? [] : [{ kind: 'message', line: at + 1, text: value }]
  })
}

/** `openSecurityLog` → `open security log` */
function wordsIn(identifier: string): string {
  return identifier
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}

function retiredIn({ kind, text }: Text): RetiredWord[] {
  const found = new Set(
    text
      .toLowerCase()
      .matchAll(PATTERNS[kind])
      .map(([, word]) => word),
  )
  return found.size === 0 ? [] : RETIRED_WORDS.filter(({ word, kinds }) => kinds.includes(kind) && found.has(word))
}

/** What is read: our own code, the manual, and the English messages that people read. */
export function isChecked(file: string): boolean {
  if (/\.test\.tsx?$/.test(file)) return false
  if (/^(?:server|sdk|web)\/src\//.test(file)) return /\.tsx?$/.test(file) && !file.startsWith('server/src/names/')
  if (/^docs\/(?!decisions\/).*\.md$/.test(file) || /^[A-Z]+\.md$/.test(file)) return file !== 'CHANGELOG.md'
  return /^(?:api\/openapi|server\/data\/(?:messages|mails)\/en|web\/messages\/en\/[^/]+)\.json$/.test(file)
}

if (import.meta.main) {
  const root = `${import.meta.dirname}/..`
  const paths = listFiles(root).filter(isChecked)
  const files = new Map(paths.map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]))
  process.exitCode = reportViolations(checkWords(files), console.log)
  if (process.exitCode === 0) console.log(`${files.size} files, 0 retired words`)
}
