/**
 * Which language a description is written in: by its script where one language uses it, otherwise by its function words
 * and letters, and where two come near each other by the words that their lists know.
 */
import type { English } from './english.ts'
import { cutAt, linesOf } from './english.ts'
import type { Language } from './language.ts'
import { fold, isAscii, wordsOf } from './text.ts'

/** What is known of every language without its lists. */
export interface LanguageMarks {
  readonly stop: ReadonlySet<string>
  readonly not: ReadonlySet<string>
  readonly generic: readonly string[]
  /** How much three letters in a row speak for it; empty where the script tells. */
  readonly letters: ReadonlyMap<string, number>
}

export interface Marks {
  readonly of: (language: string) => LanguageMarks | undefined
  readonly languages: readonly string[]
  /** Words that hand a negation on, words that join what is denied, words that take it back. */
  readonly grammar: Readonly<Record<'carries' | 'joins' | 'undoes', ReadonlySet<string>>>
  /** Phrases that praise every project alike. */
  readonly praises: readonly (readonly string[])[]
}

// Japanese may be nearly all Chinese characters, or all of them, but Chinese has none of these: kana, and characters that
// were made or simplified in Japan and are written so in neither of the Chinese scripts. None is in our Chinese data.
const OF_JAPAN =
  /[\u3041-\u30ff円売働駅図広気価単対発経続込畑峠塩変転鉄読実関帰県験検権楽薬団囲圏剤済斎沢渋渓滝焼営栄桜黒縄繊総絵聴脳臓蔵覚観訳譲豊軽辺遅酔釈雑霊顕駆騒髪鶏齢両乗亜伝仮児剣労勧厳圧壊専従徳応恵悪戦戯払抜択拠拡挙捜掲揺摂撃暁曽様歓歯毎涙渇満瀬猟獣畳砕稲穂窓粋粛縦荘蛍賛鋳銭陥険隠]/
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/[\u3040-\u30ff]/g, 'ja'],
  [/[\uac00-\ud7af\u1100-\u11ff]/g, 'ko'],
  [/[\u4e00-\u9fff]/g, 'zh'],
  [/[\u0e00-\u0e7f]/g, 'th'],
  [/[\u0900-\u097f]/g, 'hi'],
  [/[\u0600-\u06ff]/g, 'ar'],
  [/[іїєґ]/gi, 'uk'],
  [/[ыэъё]/gi, 'ru'],
]
/** In the words of BCP 47: a language that we have nothing for. */
export const UNKNOWN_LANGUAGE = 'und'

const SCRIPT_SHARE = 1 / 4
// Ukrainian and Russian have few letters that the other has not.
const CYRILLIC_SHARE = 1 / 60
const PLAINLY = 0.8
// Of the words of an English text: so many may be function words of another language by chance.
const STRAY = 0.1
const FUNCTION_WORD = 8
// A language that leads by so much needs no look at its lists.
const PLAIN_LEAD = 1.6
const COMPARED = 3
// Evidence of one word, by what is known of it.
const KNOWN = { stop: 1, word: 0.6, english: 0.25 }
// Of the words of a text: with less nothing is said.
const MIN_EVIDENCE = 0.2
const MIN_ENGLISH = 0.25
// What its letters say for a language, and for English its home: its words stand in descriptions of every language.
const LETTERS = 0.5
const HOME = 0.3

export function readMarks(text: string): Marks {
  const lines = new Map(linesOf(text).map((line) => cutAt(line, ': ')))
  const languages = [...lines.keys()].flatMap((key) => (key.endsWith(' stop') ? [key.slice(0, -' stop'.length)] : []))
  const words = (key: string) => (lines.get(key) ?? '').split(' ').filter(Boolean)
  const folded = (key: string) => words(key).map(fold)
  const opened = new Map<string, LanguageMarks>()

  /** Split when it is first asked for: the letters of all languages take as long as a description. */
  function of(language: string): LanguageMarks | undefined {
    if (!opened.has(language) && languages.includes(language)) {
      let letters: ReadonlyMap<string, number> | undefined
      opened.set(language, {
        stop: new Set(folded(`${language} stop`)),
        not: new Set(folded(`${language} not`)),
        generic: folded(`${language} generic`),
        get letters() {
          letters ??= new Map(words(`${language} letters`).map((one) => [one.slice(0, 3), Number(one.slice(3))]))
          return letters
        },
      })
    }
    return opened.get(language)
  }

  return {
    of,
    languages,
    grammar: {
      carries: new Set(folded('all carries')),
      joins: new Set(folded('all joins')),
      undoes: new Set(folded('all undoes')),
    },
    praises: (lines.get('all praises') ?? '').split('/').map((praise) => praise.split(' ')),
  }
}

export function trigramsOf(word: string): string[] {
  const text = `_${word}_`
  return Array.from({ length: text.length - 2 }, (_, at) => text.slice(at, at + 3))
}

export function detectLanguage(
  text: string,
  marks: Marks,
  english: Pick<English, 'knows'>,
  open: (language: string) => Language | undefined,
): string {
  const script = languageOfScript(text)
  if (script !== undefined) return script
  const words = wordsOf(text.toLowerCase()).map((written) => ({ written, folded: fold(written) }))
  const marked = words.filter(({ written }) => !isAscii(written)).length
  const counted = marks.languages.map((language) => {
    const { stop } = marks.of(language)!
    return { language, stops: words.filter(({ folded }) => stop.has(folded)).length }
  })
  const { stop: small } = marks.of('en')!
  const home = counted.find(({ language }) => language === 'en')!
  const known = words.filter(({ written }) => small.has(written) || english.knows(written)).length
  const isHome =
    marked === 0 &&
    known >= PLAINLY * words.length &&
    counted.every(({ stops }) => stops <= home.stops + STRAY * words.length)
  if (isHome) return 'en'

  const trigrams = words.flatMap(({ written }) => trigramsOf(written))
  const ranked = counted
    .map(({ language, stops }) => {
      const { letters } = marks.of(language)!
      let score = stops * FUNCTION_WORD
      for (const trigram of letters.size === 0 ? [] : trigrams) score += letters.get(trigram) ?? 0
      return { language, stops, score }
    })
    .toSorted((a, b) => b.score - a.score)
  const [first, second] = ranked
  if (first === undefined || first.score === 0) return UNKNOWN_LANGUAGE
  const isPlain = first.score > PLAIN_LEAD * (second?.score ?? 0)
  if (first.language !== 'en' && isPlain) return first.language

  const evidence = ranked
    .filter(({ language, score }) => language !== 'en' && score > 0)
    .slice(0, COMPARED)
    .map(({ language, stops, score }) => {
      const lists = open(language)
      let sum = stops * KNOWN.stop + (LETTERS * score) / first.score
      for (const { folded } of words) {
        if (lists === undefined || marks.of(language)!.stop.has(folded) || !knowsWord(lists, folded)) continue
        sum += small.has(folded) || english.knows(folded) ? KNOWN.english : KNOWN.word
      }
      return { language, sum }
    })
  const inEnglish = words.reduce(
    (sum, { written }) => sum + (small.has(written) ? KNOWN.stop : english.knows(written) ? KNOWN.word : 0),
    0,
  )
  // One loan word with its accent may stand in English: "jalapeño hot sauce".
  const homeSum = inEnglish + (3 * marked <= words.length ? HOME : 0)
  const best = evidence.toSorted((a, b) => b.sum - a.sum)[0]
  if (best === undefined || homeSum >= best.sum)
    return inEnglish >= MIN_ENGLISH * words.length ? 'en' : UNKNOWN_LANGUAGE
  // Cyrillic letters leave two languages to choose from, and Latin ones many that we have nothing for.
  const isKnown = best.sum - LETTERS >= MIN_EVIDENCE * words.length || /\p{Script=Cyrillic}/u.test(text)
  return isKnown ? best.language : UNKNOWN_LANGUAGE
}

function languageOfScript(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0 || isAscii(text)) return undefined
  for (const [script, language] of SCRIPTS) {
    const share = (text.match(script)?.length ?? 0) / letters
    if (share <= (language === 'uk' || language === 'ru' ? CYRILLIC_SHARE : SCRIPT_SHARE)) continue
    return language === 'zh' && OF_JAPAN.test(text) ? 'ja' : language
  }
  const readable = text.match(/[\p{Script=Latin}\p{Script=Cyrillic}]/gu)?.length ?? 0
  return readable < letters / 2 ? UNKNOWN_LANGUAGE : undefined
}

/** A word of this language, and not a name that somebody made up. */
export function isListed({ themesOfPhrase, fields }: Language, word: string): boolean {
  if (themesOfPhrase(word).length > 0 || fields?.byField.knows(word) === true) return true
  return word.length > 5 && fields?.byField.knows(`<${word.slice(0, 5)}`) === true
}

function knowsWord(lists: Language, word: string): boolean {
  return isListed(lists, word) || lists.themesOf(word).length > 0
}
