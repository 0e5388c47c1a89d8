/**
 * What no name may say: words that hurt, words that put people off, and names that belong to somebody.
 *
 * A word that hurts is refused wherever it stands; a milder one only as a whole part or where two parts meet
 * ("basement" is a fine word). A famous name is refused whole, and as a part unless it is a plain word too.
 */
export interface Safety {
  /** May this word be a part of a name? */
  readonly isClean: (word: string) => boolean
  /** What speaks against a name made of these parts. */
  readonly objectionTo: (label: string, parts: readonly string[]) => 'unsafe' | 'famous' | undefined
}

interface Offensive {
  readonly anywhere: string
  readonly acrossJoint: string
  readonly asWord: string
}

export function openSafety(read: (file: string) => string): Safety {
  const offensive = JSON.parse(read('offensive.json')) as Offensive
  const anywhere = wordsIn(offensive.anywhere)
  const crossing = new Set([...anywhere, ...wordsIn(offensive.acrossJoint)])
  const longest = Math.max(...Array.from(crossing, ({ length }) => length))
  const asWord = new Set([...crossing, ...wordsIn(offensive.asWord), ...wordsIn(read('unpleasant.txt'))])
  const brands = wordsIn(read('brands.txt'))
  const famous = new Set(brands.map((brand) => brand.replace('=', '')))
  const famousParts = new Set(brands.filter((brand) => !brand.startsWith('=')))
  const hurts = new RegExp(anywhere.join('|'))
  const beginnings = new Set([...crossing].flatMap((word) => Array.from(word, (_, at) => word.slice(0, at + 1))))
  const isListed = (word: string) => asWord.has(word) || famousParts.has(word)
  const isClean = (word: string) => !isListed(word) && !hurts.test(word)

  /** Something unwanted begins before the seam and ends after it. */
  function hides(label: string, seam: number): boolean {
    for (let from = Math.max(0, seam - longest + 1); from < seam; from++) {
      for (let to = from + 1; to <= label.length; to++) {
        const text = label.slice(from, to)
        if (!beginnings.has(text)) break
        if (to > seam && crossing.has(text)) return true
      }
    }
    return false
  }

  function isNameable(label: string, parts: readonly string[]): boolean {
    if (famous.has(label) || !isClean(label)) return false
    let seam = 0
    for (const part of parts) {
      // What is inside a clean label holds nothing that hurts.
      const isPartClean = label.includes(part) ? !isListed(part) : isClean(part)
      if (!isPartClean || (seam > 0 && hides(label, seam))) return false
      seam += part.length
    }
    return true
  }

  return {
    isClean,
    objectionTo(label, parts) {
      if (isNameable(label, parts)) return undefined
      return famous.has(label) || parts.some((part) => famousParts.has(part)) ? 'famous' : 'unsafe'
    },
  }
}

function wordsIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(/\s+/))
    .filter(Boolean)
}
