/** “Did you mean”: the word of a list that is nearest to what was typed. */

// The same thing under the names that it has elsewhere.
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['suffix', 'tlds'],
  ['suffixes', 'tlds'],
  ['extension', 'tlds'],
  ['extensions', 'tlds'],
  ['generate', 'suggest'],
])

/** Undefined when no word is near, because a wrong guess is worse than none. */
export function findNearest(typed: string, words: Iterable<string>): string | undefined {
  const wanted = typed.toLowerCase()
  const known = [...words]
  const synonym = SYNONYMS.get(wanted)
  if (synonym !== undefined && known.includes(synonym)) return synonym
  // The maximum edit distance grows with the length.
  let leastSoFar = Math.max(1, Math.floor(wanted.length / 3)) + 1
  let nearest: string | undefined
  for (const word of known) {
    const edits = editDistance(wanted, word.toLowerCase())
    // A prefix counts as near.
    const distance = wanted.length >= 2 && word.startsWith(wanted) ? Math.min(edits, 1) : edits
    if (distance < leastSoFar) [nearest, leastSoFar] = [word, distance]
  }
  return nearest
}

/** Damerau-Levenshtein distance (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[j - 2] ?? 0) + 1 : Infinity,
      )
    }
    ;[beforeLast, last] = [last, row]
  }
  return last[b.length] ?? 0
}

export function didYouMean(
  typed: string,
  words: Iterable<string>,
  asTyped: (word: string) => string = (word) => word,
): string | undefined {
  const nearest = findNearest(typed, words)
  return nearest === undefined ? undefined : `Did you mean ${asTyped(nearest)}?`
}
