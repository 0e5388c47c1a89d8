/**
 * Which language a description is written in.
 *
 * The script decides where one language uses it. Among the others the function words speak first, because every
 * sentence has some, then the words that lead to an aspect in one language and not in another, and the words that were
 * written about the fields in it. Without evidence: English.
 */
import type { Knowledge } from '../knowledge/knowledge.ts'
import { knownAs } from './native-clues.ts'
import type { Token } from './tokens.ts'

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
  [/[\u0400-\u04ff]/g, 'ru'],
  [/[\u0590-\u05ff]/g, 'he'],
  [/[\u0370-\u03ff]/g, 'el'],
]
// Letters that tell languages of the Latin script apart.
const LETTERS: readonly (readonly [string, RegExp])[] = [
  ['de', /[äöüß]/i],
  ['es', /ñ/i],
  ['fr', /[âçèêîôùûœ]/i],
  ['it', /[àèìòù]/i],
  ['pt', /[ãâçêõô]/i],
  ['tr', /[ğışİ]/],
]
const LETTER = 0.5
const FUNCTION_WORD = 1
const KNOWN_WORD = 0.6
const BENT_WORD = 0.25
const BEGINNING = 0.35
// When so many of its words are English ones, one of them a function word, nothing else is looked at.
const PLAINLY = 0.8
const COMMON = 4
// English wins a tie, unless letters have marks: its words stand in descriptions of every language.
const HOME = 0.3

export function detectLanguage(knowledge: Knowledge, text: string, tokens: readonly Token[]): string {
  const isAscii = !/[\u0080-\uffff]/.test(text)
  const letters = isAscii ? 0 : (text.match(/\p{L}/gu)?.length ?? 0)
  for (const [script, language] of isAscii ? [] : SCRIPTS) {
    const share = (text.match(script)?.length ?? 0) / letters
    if (share > 1 / 4) return language === 'zh' && OF_JAPAN.test(text) ? 'ja' : language
  }
  const isMarked = /[\u00c0-\u024f]/.test(text)
  if (!isMarked && isPlainlyEnglish(knowledge, tokens)) return 'en'
  const { words } = knowledge
  const told = new Set(LETTERS.filter(([, letter]) => letter.test(text)).map(([language]) => language))
  let [best, most] = ['en', 0]
  for (const [language, forms] of knowledge.forms) {
    const functionWords = knowledge.patterns.functionWords.get(language)
    const native = knowledge.fields.native.get(language)?.byField
    let score = language === 'en' ? (isMarked ? 0 : HOME) : told.has(language) ? LETTER : 0
    for (const { folded, latin } of tokens) {
      const known = native && knownAs(folded, native.knows)
      if (functionWords?.has(folded) === true) score += FUNCTION_WORD
      else if (!latin) continue
      else if (forms.exact(folded).length > 0) score += KNOWN_WORD
      else if (known !== undefined) {
        // What is a common English word as well, such as a loan word, says little.
        const isEnglish = words.commonness(words.find(folded)) >= COMMON
        score += isEnglish ? BENT_WORD : known === 'word' ? KNOWN_WORD : BEGINNING
      } else if (language !== 'en' && folded.length > 5 && forms.bent(folded).length > 0) score += BENT_WORD
      else if (language === 'en' && knowledge.words.find(folded) >= 0) score += BENT_WORD
    }
    if (score > most) [best, most] = [language, score]
  }
  return best
}

function isPlainlyEnglish({ words, patterns }: Knowledge, tokens: readonly Token[]): boolean {
  const functionWords = patterns.functionWords.get('en')!
  const small = tokens.filter(({ folded }) => functionWords.has(folded)).length
  const known = tokens.filter(
    ({ folded }) => !functionWords.has(folded) && words.commonness(words.find(folded)) >= COMMON,
  ).length
  return small > 0 && small + known >= PLAINLY * tokens.length
}
