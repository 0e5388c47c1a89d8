/** The words a name is made of, as far as the vocabulary knows them: "paperdozer" → paper, dozer. */
import type { Words } from '../knowledge/words.ts'

const MIN_WORD_LENGTH = 3
// Rarer words inside a label are mostly an accident of its letters.
const COMMON = 4

export function splitLabel(words: Words, label: string): string[] {
  const isWord = (text: string) => {
    const place = text.length < MIN_WORD_LENGTH ? -1 : words.find(text)
    return place >= 0 && words.commonness(place) >= COMMON
  }
  if (isWord(label)) return [label]
  // The longest word it starts with that leaves another one; failing that, whatever half is known.
  for (let cut = label.length - MIN_WORD_LENGTH; cut >= MIN_WORD_LENGTH; cut--) {
    if (isWord(label.slice(0, cut)) && isWord(label.slice(cut))) return [label.slice(0, cut), label.slice(cut)]
  }
  for (let cut = label.length - 1; cut > MIN_WORD_LENGTH; cut--)
    if (isWord(label.slice(0, cut))) return [label.slice(0, cut)]
  for (let cut = 1; cut < label.length - MIN_WORD_LENGTH; cut++) if (isWord(label.slice(cut))) return [label.slice(cut)]
  return []
}
