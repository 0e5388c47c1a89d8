/** A text as a file of the reader's own. */
export function downloadText(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has it by the next turn; some want the address a little longer.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
