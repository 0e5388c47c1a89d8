/**
 * Which language a description is written in.
 *
 * The script decides where one language uses it. Among the others the function words speak first, because every
 * sentence has some, then the words that lead to an aspect in one language and not in another. Without evidence: what
 * the caller set, and English.
 */
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Token } from './tokens.ts'

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
const FUNCTION_WORD = 1
const KNOWN_WORD = 0.6
const BENT_WORD = 0.25
// When so many of its words are English ones, one of them a function word, nothing else is looked at.
const PLAINLY = 0.8
const COMMON = 4
// English wins a tie: its words stand in descriptions of every language.
const HOME = 0.3

export function detectLanguage(knowledge: Knowledge, text: string, tokens: readonly Token[]): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  for (const [script, language] of SCRIPTS) {
    if ((text.match(script)?.length ?? 0) * 4 > letters) return language
  }
  if (isPlainlyEnglish(knowledge, tokens)) return 'en'
  let [best, most] = ['en', 0]
  for (const [language, forms] of knowledge.forms) {
    const functionWords = knowledge.patterns.functionWords.get(language)
    let score = language === 'en' ? HOME : 0
    for (const { folded, latin } of tokens) {
      if (functionWords?.has(folded) === true) score += FUNCTION_WORD
      else if (!latin) continue
      else if (forms.exact(folded).length > 0) score += KNOWN_WORD
      else if (language !== 'en' && folded.length > 5 && forms.bent(folded).length > 0) score += BENT_WORD
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
