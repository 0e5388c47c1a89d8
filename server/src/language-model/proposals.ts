/**
 * Which texts of a model's answer are names by grammar: up to three words of Latin letters.
 *
 * This is the gate for whatever a description talked a model into: no address, markup, digit or sentence is a name.
 * Whether a name is any good, allowed or free is judged later, with all the others.
 */
const WORDS = /^\p{Script=Latin}+(?: \p{Script=Latin}+){0,2}$/u
const MOST_CHARACTERS = 30

export function readProposals(values: readonly unknown[], most: number): string[] {
  const names = new Map<string, string>()
  for (const value of values) {
    if (names.size >= most) break
    if (typeof value !== 'string' || value.length > 2 * MOST_CHARACTERS) continue
    const name = value.normalize('NFC').trim().replace(/ +/g, ' ')
    if (name.length > MOST_CHARACTERS || !WORDS.test(name)) continue
    const key = name.toLowerCase()
    if (!names.has(key)) names.set(key, name)
  }
  return [...names.values()]
}
