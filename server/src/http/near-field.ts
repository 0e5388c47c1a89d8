/** Which field a caller probably meant by one that is unknown. */

// The same thing under the names that it has elsewhere.
const SYNONYMS: Readonly<Record<string, string>> = {
  suffix: 'tlds',
  suffixes: 'tlds',
  extension: 'tlds',
  extensions: 'tlds',
}
// No field of ours is as long, and each comparison takes the product of both lengths.
const MAX_LENGTH = 40

/** Undefined where none is near: a wrong guess is worse than none. */
export function findNear(name: string, fields: readonly string[]): string | undefined {
  const wanted = name.toLowerCase()
  if (wanted.length > MAX_LENGTH) return undefined
  const synonym = SYNONYMS[wanted]
  if (synonym !== undefined && fields.includes(synonym)) return synonym
  const mostEdits = Math.max(1, Math.floor(wanted.length / 3))
  const near = fields
    .map((field) => ({ field, edits: editsBetween(wanted, field) }))
    .filter(({ edits }) => edits <= mostEdits)
    .toSorted((a, b) => a.edits - b.edits)
  return near[0]?.field
}

/** Letters to insert, remove, replace, or swap with their neighbour (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = isSwap ? (beforeLast[j - 2] ?? 0) + 1 : Infinity
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped))
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
