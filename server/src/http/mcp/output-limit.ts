/**
 * Limits how much of a list goes into one response, because output uses up the context window of the agent. A list
 * without a requested length ends at about 2,000 tokens, and its cursor continues from there.
 */

// Three bytes are hardly ever more than a token. The rest of the 2,000 is for what surrounds the list.
const OUTPUT_BYTES = 3 * 1_800

/** How many of these items fit, at least one. Each is sent as data and as a line of text. */
export function countFitting(items: readonly { data: object; line: string }[]): number {
  let used = 0
  const over = items.findIndex(({ data, line }) => {
    used += Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(line))
    return used > OUTPUT_BYTES
  })
  return over === -1 ? items.length : Math.max(1, over)
}

/** The beginning of a long text, cut between characters. */
export function shorten(text: string, most: number): string {
  const characters = Array.from(text)
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
