/**
 * How much of a list goes into one answer. What an agent reads takes room from what it thinks, so a list that was not
 * asked for at a certain length ends where about 2,000 tokens are used up, and its cursor goes on from there.
 */

// Three bytes are hardly ever more than a token. The rest of the 2,000 is for what is wrapped around the list.
const ROOM_BYTES = 3 * 1_800

/** How many of these fit, at least one. Each goes out as data and as a line of text. */
export function countFitting(items: readonly { data: object; line: string }[]): number {
  let used = 0
  const over = items.findIndex(({ data, line }) => {
    used += Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(line))
    return used > ROOM_BYTES
  })
  return over === -1 ? items.length : Math.max(1, over)
}

/** The beginning of a long text, in whole characters. */
export function shorten(text: string, most: number): string {
  const characters = Array.from(text)
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
