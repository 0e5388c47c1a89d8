/**
 * A table as CSV (RFC 4180). A cell that a spreadsheet would take for a formula gets an apostrophe before it: names of keys
 * are written by people, and a file is opened by others.
 */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  // Spreadsheets take a file for UTF-8 only when it says so.
  return `\uFEFF${rows.map((row) => row.map(cellOf).join(',')).join('\r\n')}\r\n`
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
