/** Hands a text to the reader as a file. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser takes it up in its own time; a page that is left frees it anyway.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
