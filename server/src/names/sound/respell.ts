/**
 * Sounds → a respelling that anybody reads aloud: B R EH1 D W IY2 L → "BRED-weel". The stressed syllable is in capitals.
 */

const CONSONANTS: Readonly<Record<string, string>> = { DH: 'th', HH: 'h', JH: 'j' }
const VOWELS: Readonly<Record<string, string>> = {
  AA: 'ah',
  AE: 'a',
  AH: 'uh',
  AO: 'aw',
  AW: 'ow',
  AY: 'y',
  EH: 'e',
  ER: 'er',
  EY: 'ay',
  IH: 'i',
  IY: 'ee',
  OW: 'oh',
  OY: 'oy',
  UH: 'oo',
  UW: 'oo',
}
// At the end of a syllable a short vowel wants an h, or it would be read as a long one.
const AT_THE_END: Readonly<Record<string, string>> = { AE: 'ah', EH: 'eh', IH: 'ih' }
const BEFORE_R: Readonly<Record<string, string>> = { AA: 'a', AO: 'o', EH: 'ai', IH: 'ee', AE: 'a' }
const ONSETS = new Set(
  (
    'PL PR BL BR TR DR KL KR GL GR FL FR THR SHR SL SM SN SP ST SK SW TW KW DW GW ' +
    'SPL SPR STR SKR SKW PY BY KY MY FY VY HHY'
  ).split(' '),
)

export function isVowelSound(sound: string): boolean {
  return /^[AEIOU]/.test(sound)
}

export function respell(sounds: readonly string[]): string {
  return cut(sounds)
    .map((syllable) => {
      const text = textOf(syllable.map((sound) => sound.replace(/\d$/, '')))
      return syllable.some((sound) => sound.endsWith('1')) ? text.toUpperCase() : text
    })
    .join('-')
}

/** Before each vowel, with as many consonants as can begin an English word; a short stressed vowel keeps one behind it. */
function cut(sounds: readonly string[]): string[][] {
  const vowels = sounds.flatMap((sound, at) => (isVowelSound(sound) ? [at] : []))
  const starts = vowels.map((vowel, nth) => {
    if (nth === 0) return 0
    const before = vowels[nth - 1] ?? 0
    let start = vowel
    while (start - 1 > before && canBegin(sounds.slice(start - 1, vowel))) start--
    const isShort = /^(?:AE|EH|IH|AH|UH)1$/.test(sounds[before] ?? '')
    return isShort && start === before + 1 && start < vowel ? start + 1 : start
  })
  return starts.map((start, nth) => sounds.slice(start, starts[nth + 1] ?? sounds.length))
}

function canBegin(cluster: readonly string[]): boolean {
  return cluster.length === 1 ? cluster[0] !== 'NG' : ONSETS.has(cluster.join(''))
}

function textOf(syllable: readonly string[]): string {
  const vowel = syllable.findIndex(isVowelSound)
  const text = syllable.map((sound, at) => letterOf(sound, at, syllable, vowel)).join('')
  // "byke" and "ryce": without the e the y would be read as in "myth".
  const isLong = syllable[vowel] === 'AY' && vowel > 0 && syllable.length === vowel + 2
  return isLong ? `${text.replace(/ss$/, 'c')}e` : text
}

function letterOf(sound: string, at: number, syllable: readonly string[], vowel: number): string {
  const isLast = at === syllable.length - 1
  if (at !== vowel) {
    // "iss" hisses where "is" would not.
    if (sound === 'S' && isLast && at === vowel + 1) return 'ss'
    return CONSONANTS[sound] ?? sound.toLowerCase()
  }
  if (sound === 'AY' && at === 0) return 'eye'
  if (syllable[at + 1] === 'R') return BEFORE_R[sound] ?? VOWELS[sound] ?? ''
  return (isLast ? AT_THE_END[sound] : undefined) ?? VOWELS[sound] ?? ''
}
