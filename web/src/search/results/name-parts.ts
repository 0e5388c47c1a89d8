/** The words that a name is made of, each of which further names can be asked to contain. Pure. */

const SHORTEST = 3
const MOST = 3

/** By spaces and capitals, and by the words of its rationale that are in it; of a name that is one word, itself. */
export function partsOf(name: string, rationale = ''): readonly string[] {
  const whole = spelled(name)
  const own = name.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).map(spelled)
  const said = (rationale.match(/[\p{L}\p{N}]+/gu) ?? []).map(spelled)
  const isPart = (word: string) => word.length >= SHORTEST && word !== whole && whole.includes(word)
  const parts = [...new Set([...own, ...said])]
    .filter(isPart)
    // A part of a part says less.
    .filter((word, _, all) => !all.some((other) => other !== word && other.includes(word)))
    .toSorted((a, b) => whole.indexOf(a) - whole.indexOf(b))
  return parts.length === 0 && whole.length >= SHORTEST ? [whole] : parts.slice(0, MOST)
}

const spelled = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
