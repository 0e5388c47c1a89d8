/** The name proper: without the tail that says what kind of company it is, and only if it is written in letters. */
import { lettersOf } from './words-of-name.ts'

const TAIL =
  /[\s,.]+(?:ai|app|bio|co|com|company|corp|dev|fm|health|hq|inc|io|labs?|llc|ltd|me|tech|technologies|xyz)\.?$/i

/** undefined for what is no word: "100x", "/dev/fast", "M". */
export function findBareName(name: string): string | undefined {
  let bare = name.replace(/\s*\(.*\)\s*$/, '').trim()
  while (TAIL.test(bare)) bare = bare.replace(TAIL, '')
  return /[^\p{L}\s'’-]/u.test(bare) || lettersOf(bare).length < 2 ? undefined : bare
}
