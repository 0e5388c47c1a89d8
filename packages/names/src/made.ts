/**
 * Names put together here: around words of the description, around a word the caller insists on, and around a name that
 * somebody typed. Readers accept few of them (docs/naming.md), so they come last, unless they were asked for.
 */
import { type Draft, type DraftFacts, glued, inTurns, phrase } from './draft.ts'
import { capitalise, hashOf, labelLetters } from './text.ts'

const LONGEST = 15
const LONGEST_GLUED = 10
const LONGEST_TYPED = 12
const BEFORE = ['get', 'try', 'use', 'join', 'go', 'hello', 'meet', 'the', 'with', 'my', 'our']
const AFTER = ['hq', 'app', 'co', 'labs', 'studio', 'works', 'club', 'house', 'now', 'online', 'shop', 'team']
const MIN_PART = 3

/** False where two halves would be misspelt or could not be said. */
export function joinsWell(first: string, second: string): boolean {
  if (first.at(-1) === second[0] || first === second) return false
  const seam = (/[^aeiouy]*$/.exec(first)?.[0].length ?? 0) + (/^[^aeiouy]*/.exec(second)?.[0].length ?? 0)
  return seam > 0 && seam <= 3
}

/** A word with light second halves; where both begin or end with one sound comes first. */
export function* withHalves(word: string, halves: readonly string[], salt: number): Generator<Draft, undefined> {
  const closeness = (half: string) => Number(half[0] === word[0]) + Number(half.slice(-2) === word.slice(-2))
  const fitting = turned(halves, hashOf(word, salt))
    .filter((half) => word.length + half.length <= LONGEST && !word.endsWith(half))
    .map((half) => ({ half, close: closeness(half) }))
    .toSorted((a, b) => b.close - a.close)
  for (const { half } of fitting) {
    const isGlued = word.length + half.length <= LONGEST_GLUED && joinsWell(word, half)
    yield (isGlued ? glued : phrase)([word, half], { because: word })
  }
}

/** The other way round, and with the words that go before or after any name. */
export function* behindHalves(word: string, halves: readonly string[], salt: number): Generator<Draft, undefined> {
  for (const half of turned(halves, hashOf(word, salt + 1)))
    if (joinsWell(half, word)) yield glued([half, word], { because: word })
  for (const before of BEFORE) yield phrase([before, word], { because: word })
  for (const after of AFTER) yield affixed([word, after], { because: word })
}

export interface TypedName {
  /** As it was typed: "PaperLantern". */
  readonly name: string
  readonly label: string
  readonly parts: readonly string[]
}

/** The name itself, its prefixes and endings, its halves changed. What suffixes it has is for the domains to say. */
export function* aroundName(
  { name, label, parts }: TypedName,
  halves: readonly string[],
  salt: number,
): Generator<Draft> {
  const facts: DraftFacts = { relevance: 1, because: label }
  const list = turned(halves, hashOf(label, salt))
  const glue = (a: string, b: string) =>
    a !== b && joinsWell(a, b) && a.length + b.length <= LONGEST_TYPED ? [glued([a, b], facts)] : []
  const [first = '', second = ''] = parts.length > 1 ? [parts[0], parts.at(-1)] : []
  const before = BEFORE.filter((word) => !label.startsWith(word)).map((word) => phrase([word, label], facts))
  const after = AFTER.filter((word) => !label.endsWith(word)).map((word) => affixed([label, word], facts))
  const own = [
    ...(parts.length === 2 ? [phrase([first, 'and', second], facts), ...glue(second, first)] : []),
    ...(parts.length === 3 ? glue(first, second) : []),
    ...(/[sy]$/.test(label) ? [] : [glued([`${label}s`], { ...facts, style: 'affix' })]),
  ]
  const otherSeconds = first === '' ? [] : list.flatMap((half) => glue(first, half))
  const otherFirsts = second === '' ? [] : list.flatMap((half) => glue(half, second))
  yield glued(parts, { ...facts, name: capitalise(name) })
  yield* inTurns([otherSeconds.slice(0, 10), before.slice(0, 4), own, otherFirsts.slice(0, 5), after.slice(0, 4)], [1])
  yield* inTurns([otherSeconds.slice(10), before.slice(4), otherFirsts.slice(5), after.slice(4)], [1])
}

function affixed(parts: readonly string[], facts: DraftFacts): Draft {
  return phrase(parts, { ...facts, style: 'affix' })
}

/**
 * "brineyard.com", "PaperLantern" or a word that no list knows: a name, and no description. `spread` tells of how many
 * fields a word speaks.
 */
export function findTypedName(text: string, spread: (word: string) => number): TypedName | undefined {
  const found = /^(?:https?:\/\/)?(?:www\.)?([\p{L}\p{N}&-]{3,30})((?:\.[a-z]{2,12}){1,2})?\/?$/iu.exec(text.trim())
  const told = found?.[1]?.replaceAll('&', 'and') ?? ''
  const label = labelLetters(told)
  if (found === null || label.length < MIN_PART || label.length < told.replaceAll('-', '').length) return undefined
  // One word that speaks of several fields is a short description: "coffee".
  const isDescription = found[2] === undefined && spread(label) >= (/^[A-Z]/.test(told) ? 15 : 4)
  if (isDescription || !/[a-z]/.test(label)) return undefined
  const cut = told
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .split('-')
    .map(labelLetters)
    .filter(Boolean)
  const parts = cut.length > 1 ? cut : partsOf(label, (word) => spread(word) >= 2)
  return { name: told, label, parts: parts.length > 1 ? parts : [label] }
}

/** Two known words as equal in length as can be, or two with "and" between them; the label itself where it has none. */
export function partsOf(label: string, isWord: (word: string) => boolean): string[] {
  const [, first = '', second = ''] = /^(.{3,})and(.{3,})$/.exec(label) ?? []
  if (isWord(first) && isWord(second)) return [first, 'and', second]
  let best: string[] = [label]
  let least = Infinity
  for (let cut = MIN_PART; cut <= label.length - MIN_PART; cut++) {
    const difference = Math.abs(label.length - 2 * cut)
    if (difference >= least || !isWord(label.slice(0, cut)) || !isWord(label.slice(cut))) continue
    best = [label.slice(0, cut), label.slice(cut)]
    least = difference
  }
  return best
}

const RESPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/ck/, 'kk'],
  [/c(?=[aoulr])/, 'k'],
  [/ph/, 'f'],
  [/qu/, 'kw'],
  [/(?<=[^aeiou])er$/, 'r'],
  [/(?<=[aeiou])s(?=[aeiou])/, 'z'],
  [/i(?=[lnrst])/, 'y'],
  [/ks|cks/, 'x'],
  [/(?<=.)ee|ea/, 'i'],
]

/** A plain word, spelled as it sounds: "kwick", "tumblr". Only when asked for: most people find them dated. */
export function* respelled(words: Iterable<string>): Generator<Draft> {
  for (const word of words) {
    for (const [pattern, letters] of RESPELLINGS) {
      const label = word.replace(pattern, letters)
      if (label === word || label.length < 4) continue
      yield { ...glued([label], { style: 'respelling', because: word }), parts: [word, label] }
    }
  }
}

const MIN_HACK = 2

/** Words that a suffix completes: "bivou" under "ac". Only when asked for; the label alone says nothing. */
export function* hacked(words: Iterable<string>, suffixes: readonly string[]): Generator<Draft> {
  const endings = suffixes
    .map((suffix) => ({ suffix, letters: suffix.replaceAll('.', '') }))
    .filter(({ letters }) => letters.length >= MIN_HACK && /^[a-z]+$/.test(letters))
  for (const word of words) {
    for (const { suffix, letters } of endings) {
      if (!word.endsWith(letters) || word.length - letters.length < MIN_HACK) continue
      yield { ...glued([word], { style: 'domain_hack', because: word, suffix }), label: word.slice(0, -letters.length) }
    }
  }
}

/** The list from another place on, so that not everybody gets its first. */
function turned<T>(list: readonly T[], start: number): T[] {
  const at = start % list.length
  return [...list.slice(at), ...list.slice(0, at)]
}
