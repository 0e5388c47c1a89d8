/**
 * Letters → sounds, for words that nobody has written down how to say: what an English reader would try first.
 *
 * From left to right the longest spelling that fits; a vowel is long where its syllable is open or a silent e follows.
 * Phonemes are those of the CMU dictionary, as in `data/names/sounds.txt`, with a 1 behind the stressed vowel.
 */

type Rule = readonly [spelling: RegExp, sounds: string]

// The first that fits wins, so longer spellings stand before shorter ones.
const RULES: readonly Rule[] = [
  [/^eigh/, 'EY'],
  [/^tion$/, 'SH AH N'],
  [/^que$/, 'K'],
  [/^mb(?![aeiouyrl])/, 'M'],
  [/^tch/, 'CH'],
  [/^dge(?![aou])/, 'JH'],
  [/^igh/, 'AY'],
  [/^eau/, 'OW'],
  [/^sch(?=[aeiou])/, 'SH'],
  [/^(?:ch)/, 'CH'],
  [/^sh/, 'SH'],
  [/^th/, 'TH'],
  [/^ph/, 'F'],
  [/^wh/, 'W'],
  [/^qu/, 'K W'],
  [/^ck/, 'K'],
  [/^ng(?![aeiouyrl])/, 'NG'],
  [/^nk/, 'NG K'],
  [/^gh(?=[aeiou])/, 'G'],
  [/^gh/, ''],
  [/^sc(?=[eiy])/, 'S'],
  [/^([bdfgklmnprstvz])(?=\1)/, ''],
  [/^c(?=c[aou])/, ''],
  [/^ee/, 'IY'],
  [/^ea/, 'IY'],
  [/^oo/, 'UW'],
  [/^a[iy]/, 'EY'],
  [/^oa/, 'OW'],
  [/^ow(?=$|[aeiou])/, 'OW'],
  [/^o[uw]/, 'AW'],
  [/^o[iy]/, 'OY'],
  [/^a[uw]/, 'AO'],
  [/^e[uw]/, 'UW'],
  [/^e[iy](?=.)/, 'EY'],
  [/^(?:ey|ie)$/, 'IY'],
  [/^ue$/, 'UW'],
  [/^oe$/, 'OW'],
  [/^ia/, 'IY AH'],
  [/^[ei]o/, 'IY OW'],
  [/^[eiu]r(?![aeiouy])/, 'ER'],
  [/^er$/, 'ER'],
  [/^or(?![aeiouy])/, 'AO R'],
  [/^ar(?![aeiouy])/, 'AA R'],
  [/^c(?=[eiy])/, 'S'],
  [/^g(?=[ey](?!t))/, 'JH'],
  [/^x/, 'K S'],
  [/^j/, 'JH'],
  [/^y(?=[aeiou])/, 'Y'],
  [/^h(?=[aeiouy])/, 'HH'],
  [/^h/, ''],
]
const PLAIN: Readonly<Record<string, string>> = { c: 'K', q: 'K' }
// Before a consonant and a silent e; before one consonant and a vowel, or at the end; before anything else.
const SILENT: Readonly<Record<string, string>> = { a: 'EY', e: 'IY', i: 'AY', o: 'OW', u: 'UW', y: 'AY' }
const OPEN: Readonly<Record<string, string>> = { a: 'AA', e: 'EH', i: 'IY', o: 'OW', u: 'UW', y: 'AY' }
const CLOSED: Readonly<Record<string, string>> = { a: 'AE', e: 'EH', i: 'IH', o: 'AA', u: 'AH', y: 'IH' }
const BEGINNINGS: readonly Rule[] = [
  [/^kn/, 'N'],
  [/^wr/, 'R'],
  [/^ps/, 'S'],
  [/^rh/, 'R'],
  [/^x/, 'Z'],
]

/** Of a to z only. */
export function guessSounds(word: string): readonly string[] {
  const sounds: string[] = []
  let at = 0
  while (at < word.length) {
    const [size, found] = soundAt(word, at)
    if (found !== '') sounds.push(...found.split(' '))
    at += size
  }
  return stress(sounds, /[^aeiouy][aiou]$/.test(word))
}

function soundAt(word: string, at: number): [number, string] {
  const rest = word.slice(at)
  for (const [spelling, sounds] of at === 0 ? [...BEGINNINGS, ...RULES] : RULES) {
    const found = spelling.exec(rest)
    if (found) return [found[0].length, sounds]
  }
  const letter = rest.charAt(0)
  if (!/[aeiouy]/.test(letter)) return [1, PLAIN[letter] ?? letter.toUpperCase()]
  return [1, vowelAt(word, at, letter)]
}

function vowelAt(word: string, at: number, letter: string): string {
  const [before, rest] = [word.slice(0, at), word.slice(at + 1)]
  if (rest === '') {
    if (letter === 'e' && /[aeiouy]/.test(before)) return ''
    if (letter === 'y' && /[aeiouy]/.test(before)) return 'IY'
    return letter === 'a' && before !== '' ? 'AH' : (OPEN[letter] ?? '')
  }
  if (/^[^aeiouywx]e$/.test(rest)) return SILENT[letter] ?? ''
  return (/^(?:[^aeiouyx]|th|sh|ch|ph|[bcdfgkpt][lr])?[aeiouy]/.test(rest) ? OPEN[letter] : CLOSED[letter]) ?? ''
}

/** On the first of two; of more on the third from the end, or the last but one where the word ends as Italian ones do. */
function stress(sounds: readonly string[], isLatin: boolean): readonly string[] {
  const vowels = sounds.flatMap((sound, at) => (/^[AEIOU]/.test(sound) ? [at] : []))
  const fromEnd = isLatin ? 2 : 3
  const stressed = vowels[Math.max(0, vowels.length - fromEnd)]
  return sounds.map((sound, at) => (at === stressed ? `${sound}1` : sound))
}
