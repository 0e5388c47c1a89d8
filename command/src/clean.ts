/**
 * Makes untrusted text safe to print. Text from the service may contain control characters (in a note or a domain, for
 * example), and a terminal executes them: they can hide or overwrite output.
 *
 * All untrusted text must pass through this file before it is written to a terminal.
 */

// C0, DEL and C1 (0x9b alone starts an escape sequence), line and paragraph separators, and lone surrogates.
// oxlint-disable-next-line no-control-regex -- that is what it is about
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Cs}]/gu
// Bidirectional controls, which can make one name look like another.
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** On one line; control characters become U+FFFD. */
export function clean(text: string): string {
  return text
    .replace(/\r?\n|\t/g, ' ')
    .replace(CONTROLS, '\ufffd')
    .replace(DIRECTIONS, '')
}

/** For a cell of a file, which may contain line breaks and tabs. */
export function cleanCell(text: string): string {
  return text
    .replace(CONTROLS, (one) => (one === '\n' || one === '\r' || one === '\t' ? one : '\ufffd'))
    .replace(DIRECTIONS, '')
}

/** The same JSON value without control characters. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent) ?? 'null'
  // JSON.stringify has escaped those below 0x20 inside strings; its own line breaks are outside of strings.
  return text.replace(/[\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, escapeOf)
}

function escapeOf(one: string): string {
  return `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
}
