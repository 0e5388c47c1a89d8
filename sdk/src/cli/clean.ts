/**
 * Text of others made safe to show. What comes from the service, or through it from whoever wrote a note or registered a
 * domain, may hold control characters, and a terminal obeys those: it could be told to hide, to overwrite, to answer.
 *
 * Nothing from outside is written to a terminal that has not been through here.
 */

// C0, DEL and C1 (0x9b alone begins a command), line and paragraph separators, and halves of a pair.
// oxlint-disable-next-line no-control-regex -- that is what it is about
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Cs}]/gu
// What turns the direction of a line round, so that a name can look like another.
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** On one line; what cannot be shown becomes U+FFFD. */
export function clean(text: string): string {
  return text
    .replace(/\r?\n|\t/g, ' ')
    .replace(CONTROLS, '\ufffd')
    .replace(DIRECTIONS, '')
}

/** In a cell of a file lines may stay lines. */
export function cleanCell(text: string): string {
  return text
    .replace(CONTROLS, (one) => (one === '\n' || one === '\r' || one === '\t' ? one : '\ufffd'))
    .replace(DIRECTIONS, '')
}

/** JSON that means the same and has no control characters in it. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent) ?? 'null'
  // JSON.stringify has escaped those below 0x20; the ends of its own lines are not in a string.
  return text.replace(/[\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, escapeOf)
}

function escapeOf(one: string): string {
  return `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
}
