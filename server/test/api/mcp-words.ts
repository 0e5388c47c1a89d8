/**
 * The simplest agent there is: it chooses the tool that shares the rarest words with what was said, of those in its
 * name, its title and the two sentences that say what it does and when to use it. A model does better; where even this
 * one chooses right, the words leave little doubt.
 */
interface Tool {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
}

// Words that say nothing of what is wanted.
const EMPTY = new Set(
  (
    'a about again all already am an and any are as at be by can did do does each either for from get give had has have here how i if in into ' +
    'is it its just me much my no none not of on one or our out please so some than that the their them then there these they this those to ' +
    'up us was we were when with would you your anything everything somebody such yet'
  ).split(' '),
)

export function pickBy(tools: readonly Tool[]) {
  const wordsOfTool = new Map(tools.map((tool) => [tool.name, wordsOf(choiceText(tool))]))
  const weight = (word: string) => {
    const having = [...wordsOfTool.values()].filter((words) => words.has(word)).length
    return having === 0 ? 0 : Math.log((tools.length + 1) / having)
  }
  return {
    /** All tools, the best one first. */
    pick(said: string): { name: string; score: number; words: string[] }[] {
      const asked = wordsOf(said)
      return [...wordsOfTool]
        .map(([name, words]) => {
          const shared = [...asked].filter((word) => words.has(word))
          return { name, words: shared, score: shared.reduce((sum, word) => sum + weight(word), 0) }
        })
        .toSorted((a, b) => b.score - a.score)
    },

    /** How much two descriptions say the same: shared words of all their words, 0 to 1. */
    overlap(one: string, other: string): number {
      const a = wordsOfTool.get(one) ?? new Set()
      const b = wordsOfTool.get(other) ?? new Set()
      return a.intersection(b).size / a.union(b).size
    },
  }
}

/** What it is called, what it does, and when to use it. */
function choiceText({ name, title = '', description = '' }: Tool): string {
  const [does = '', when = ''] = description.split(/(?<=\.) /)
  if (!when.startsWith('Use it when ')) throw new Error(`${name} does not say when to use it`)
  return [name.replaceAll('_', ' '), title, does, when.replace('Use it when ', '')].join(' ')
}

function wordsOf(text: string): Set<string> {
  const spelled = text
    .toLowerCase()
    // A spelled-out domain is a word of its own kind.
    .replace(/\b[\p{L}\d-]+\.[a-z]{2,}\b/gu, ' spelled ')
    .match(/\p{L}+/gu)
  return new Set((spelled ?? []).filter((word) => !EMPTY.has(word)).map(stemOf))
}

/** Plurals are the same word; "saved" is not "save", and says which tool is meant. */
function stemOf(word: string): string {
  return word.length > 3 ? word.replace(/(?<!s)s$/, '') : word
}
