/** A name heard is a name spelled: how a label sounds, and what in it an ear would write otherwise. */

const VOWELS = 'aeiouy'
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
  return VOWELS.includes(letter)
}

/** What its vowels and consonants say, in one pass. */
export function countLetters(label: string): { vowels: number; syllables: number; longestConsonants: number } {
  let [vowels, groups, run, longestConsonants] = [0, 0, 0, 0]
  let wasVowel = false
  for (let at = 0; at < label.length; at++) {
    const isOne = isVowel(label.charAt(at))
    if (isOne) {
      vowels++
      if (!wasVowel) groups++
      run = 0
    } else if (++run > longestConsonants) longestConsonants = run
    wasVowel = isOne
  }
  const silent = groups > 1 && /[^aeiouyl]e$/.test(label) ? 1 : 0
  return { vowels, syllables: Math.max(1, groups - silent), longestConsonants }
}

export function uncertainty(label: string): number {
  let cost = 0
  for (const [pattern, weight] of UNCERTAIN) if (pattern.test(label)) cost += weight
  return cost
}

/** How many consonants it ends in. */
export function codaOf(word: string): number {
  let at = word.length
  while (at > 0 && !isVowel(word.charAt(at - 1))) at--
  return word.length - at
}

/** How many consonants it begins with. */
export function onsetOf(word: string): number {
  let at = 0
  while (at < word.length && !isVowel(word.charAt(at))) at++
  return at
}
