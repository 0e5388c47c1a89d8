/**
 * How likely a spelling is, letter by letter, to readers of the words it was trained on.
 *
 * An n-gram model with Witten–Bell smoothing: each letter is predicted from the letters before it, and a longer context
 * is trusted as much as it has been seen with few different followers. Words are lower-case a-z; their ends count as
 * letters too, so that an ending can be unlikely.
 */
const START = '^'
const END = '$'
const ALPHABET = 27

interface Context {
  readonly followers: Map<string, number>
  total: number
}

export interface LetterModel {
  /** The natural logarithm of the probability of each letter and of the end. */
  logsOf(word: string): readonly number[]
}

export function trainLetters(words: Iterable<string>, order: number): LetterModel {
  const contexts = new Map<string, Context>()
  for (const word of words) {
    for (const { context, letter } of steps(word, order)) {
      for (let from = 0; from <= context.length; from++) count(contexts, context.slice(from), letter)
    }
  }
  const probability = (context: string, letter: string): number => {
    const shorter = context === '' ? 1 / ALPHABET : probability(context.slice(1), letter)
    const seen = contexts.get(context)
    if (seen === undefined) return shorter
    const kinds = seen.followers.size
    return ((seen.followers.get(letter) ?? 0) + kinds * shorter) / (seen.total + kinds)
  }
  return { logsOf: (word) => steps(word, order).map(({ context, letter }) => Math.log(probability(context, letter))) }
}

function steps(word: string, order: number): { context: string; letter: string }[] {
  const padded = START.repeat(order - 1) + word + END
  return Array.from({ length: word.length + 1 }, (_, at) => ({
    context: padded.slice(at, at + order - 1),
    letter: padded[at + order - 1] ?? END,
  }))
}

function count(contexts: Map<string, Context>, context: string, letter: string): void {
  const seen = contexts.get(context) ?? { followers: new Map<string, number>(), total: 0 }
  seen.followers.set(letter, (seen.followers.get(letter) ?? 0) + 1)
  seen.total++
  contexts.set(context, seen)
}
