/**
 * How English words sound, and which letters make which sound.
 *
 * A pronunciation is a list of phonemes of the CMU dictionary, stress marks left off. `align` says where in the letters
 * each phoneme begins, by a small dynamic program: every phoneme takes nought to four letters, letters that are known to
 * spell it cost nothing, others a little. Nothing here knows about names.
 */
import { dictionary } from 'cmu-pronouncing-dictionary'

/** What usually spells a phoneme; the silent e that may follow is allowed for in `costOf`. */
const SPELLINGS: Record<string, string> = {
  AA: 'a o ah ea e ho au aw oa ou augh ough al',
  AE: 'a ai au',
  AH: 'a e i o u ou oo io ia ai ea eo y oe',
  AO: 'o a au aw oa ou augh ough al',
  AW: 'ou ow ough',
  AY: 'i y ie igh ye uy eigh ai ei',
  B: 'b bb',
  CH: 'ch tch t c',
  D: 'd dd ed',
  DH: 'th the',
  EH: 'e ea a ai ie u eo',
  ER: 'er ur ir or ear ar re our yr urr err',
  EY: 'a ai ay ei ey eigh ea e et',
  F: 'f ff ph gh',
  G: 'g gg gh gu gue',
  HH: 'h wh',
  IH: 'i y e ui a u ie ei ee ea ai',
  IY: 'e ee ea y i ie ei ey eo ae',
  JH: 'j g dg d gg',
  K: 'k c ck ch q cc kh que x',
  L: 'l ll',
  M: 'm mm mb mn',
  N: 'n nn kn gn',
  NG: 'ng n',
  OW: 'o oa ow oe ou ough eau ew',
  OY: 'oi oy',
  P: 'p pp',
  R: 'r rr wr rh',
  S: 's ss c sc ps st',
  SH: 'sh ti ci ssi si ch s ss sc sci t c',
  T: 't tt ed bt th',
  TH: 'th',
  UH: 'oo u ou o',
  UW: 'oo u ue ew ou ui o eu ough wo',
  V: 'v f vv',
  W: 'w wh u o',
  Y: 'y i',
  Z: 'z zz s ss x',
  ZH: 's si z g ti',
}
const KNOWN = new Map(Object.entries(SPELLINGS).map(([phoneme, text]) => [phoneme, new Set(text.split(' '))]))
const VOWEL = /^[AEIOU]/
const MAX_LETTERS = 4
/** Consonants that an ear takes for each other: voiced and unvoiced, of one place in the mouth, or both liquid. */
const ALIKE = ['P B M', 'T D N', 'K G NG', 'F V', 'S Z', 'SH ZH CH JH', 'TH DH', 'L R W', 'F TH', 'S SH', 'V B', 'M N']
const NEAR = ALIKE.map((text) => new Set(text.split(' ')))
const ONSETS = new Set(
  (
    'PL PR BL BR TR DR KL KR GL GR FL FR THR SHR SL SM SN SP ST SK SW TW KW DW GW HHW ' +
    'SPL SPR STR SKR SKW PY BY KY MY FY VY HHY'
  ).split(' '),
)

/** The phonemes of a word, or of words in a row; undefined where one of them is not in the dictionary. */
export function soundsOf(text: string): readonly string[] | undefined {
  const words = text.split(' ').map((word) => dictionary[word])
  if (words.includes(undefined)) return undefined
  // "Cot" and "caught": the dictionary itself is of two minds (causeway, clause), so they count as one, but before r.
  return words.flatMap((word) =>
    word!
      .replaceAll(/\d/g, '')
      .replaceAll(/AO(?! R)/g, 'AA')
      .split(' '),
  )
}

export function isVowel(phoneme: string): boolean {
  return VOWEL.test(phoneme)
}

export function isAlike(one: string, other: string): boolean {
  return NEAR.some((group) => group.has(one) && group.has(other))
}

/** How many consonants stand before the first vowel. */
export function onsetOf(phonemes: readonly string[]): number {
  const at = phonemes.findIndex(isVowel)
  return at < 0 ? phonemes.length : at
}

/** Where syllables begin: before each vowel, with as many consonants as can begin an English word. */
export function syllablesOf(phonemes: readonly string[]): number[] {
  const starts: number[] = []
  for (const [at, phoneme] of phonemes.entries()) {
    if (!isVowel(phoneme)) continue
    let start = at
    while (start > 0 && canBegin(phonemes.slice(start - 1, at))) start--
    starts.push(starts.length === 0 ? 0 : start)
  }
  return starts
}

function canBegin(cluster: readonly string[]): boolean {
  if (cluster.some(isVowel)) return false
  return cluster.length === 1 ? cluster[0] !== 'NG' : ONSETS.has(cluster.join(''))
}

/** Where in the letters each phoneme begins; one more than there are phonemes, the last being the end. */
export function align(letters: string, phonemes: readonly string[]): number[] {
  const width = letters.length + 1
  let costs = new Float64Array(width).fill(Infinity)
  costs[0] = 0
  const from: Uint8Array[] = []
  for (const phoneme of phonemes) {
    const next = new Float64Array(width).fill(Infinity)
    const taken = new Uint8Array(width)
    for (let end = 0; end < width; end++) {
      for (let size = 0; size <= Math.min(end, MAX_LETTERS); size++) {
        const cost = costs[end - size]! + costOf(phoneme, letters.slice(end - size, end))
        if (cost < next[end]!) {
          next[end] = cost
          taken[end] = size
        }
      }
    }
    from.push(taken)
    costs = next
  }
  const starts = [letters.length]
  for (const taken of from.toReversed()) starts.unshift(starts[0]! - taken[starts[0]!]!)
  starts[0] = 0
  return starts
}

function costOf(phoneme: string, chunk: string): number {
  const known = KNOWN.get(phoneme)
  if (known?.has(chunk) === true) return 0
  if (chunk === '') return 1.5
  if (!isVowel(phoneme) && chunk.endsWith('e') && known?.has(chunk.slice(0, -1)) === true) return 0.3
  if (known?.has(chunk.slice(0, -1)) === true || known?.has(chunk.slice(1)) === true) return 1
  return chunk.length * 1.2
}
