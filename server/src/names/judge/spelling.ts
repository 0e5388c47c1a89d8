/** A name heard is a name spelled: how a label sounds, and what in it an ear would write otherwise. */

const VOWEL = /[aeiouy]/
// Letters that are not heard, or that another spelling would sound like; each costs its weight.
const UNCERTAIN: readonly (readonly [RegExp, number])[] = [
  [/ph|gh|kn|wr|ps|mn|rh|pt(?=[aeo])/, 1],
  [/sc(?=[eiy])|c(?=[eiy])/, 0.5],
  [/([bdfglmnprtz])\1/, 0.5],
  [/ei|ie|eu|oe|ae|ough|augh/, 0.7],
  [/x|q|cq|cz|tz/, 0.5],
  [/[^aeiou]y[^aeiou]/, 0.5],
  [/ea|ai|oa|ue/, 0.3],
]

export function isVowel(letter: string): boolean {
  return VOWEL.test(letter)
}

export function syllables(label: string): number {
  const groups = label.match(/[aeiouy]+/g)?.length ?? 0
  const silent = /[^aeiouyl]e$/.test(label) && groups > 1 ? 1 : 0
  return Math.max(1, groups - silent)
}

export function uncertainty(label: string): number {
  let cost = 0
  for (const [pattern, weight] of UNCERTAIN) if (pattern.test(label)) cost += weight
  return cost
}

export function longestConsonants(label: string): number {
  let longest = 0
  for (const run of label.split(/[aeiouy]+/)) longest = Math.max(longest, run.length)
  return longest
}
