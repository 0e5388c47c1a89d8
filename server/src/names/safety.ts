/**
 * What no name may say: words that hurt, words that put people off, and names that belong to somebody.
 *
 * A word that hurts is refused wherever it stands; a milder one only as a whole part or where two parts meet
 * ("basement" is a fine word). A famous name is refused whole, and as a part unless it is a plain word too.
 */
import { linesOf, readJson, wordsOf } from './data.ts'

export interface Safety {
  /** May this word be a part of a name? */
  readonly isClean: (word: string) => boolean
  /** May this be a whole name? Its parts and their joints have been looked at already. */
  isNameable(label: string): boolean
  /** Everything that must not be read across a joint. */
  readonly acrossJoint: readonly string[]
}

export async function createSafety(): Promise<Safety> {
  const [file, unpleasant, brands] = await Promise.all([
    readJson<{ anywhere: string; acrossJoint: string; asWord: string }>('offensive.json'),
    linesOf('unpleasant.txt'),
    linesOf('brands.txt'),
  ])
  const anywhere = wordsOf(file.anywhere)
  const acrossJoint = [...anywhere, ...wordsOf(file.acrossJoint)]
  const asWord = new Set([...acrossJoint, ...wordsOf(file.asWord), ...unpleasant])
  const famous = new Set(brands.map((line) => line.replace('=', '')))
  const refused = new Set([...asWord, ...famous])
  const famousParts = new Set(brands.filter((line) => !line.startsWith('=')))
  return {
    acrossJoint,
    isClean: (word) => !asWord.has(word) && !famousParts.has(word) && !anywhere.some((bad) => word.includes(bad)),
    isNameable: (label) => !refused.has(label),
  }
}
