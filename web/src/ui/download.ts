/** Hands a text or a picture to the reader as a file of their own. */
export function download(
  content: string | Blob,
  { name, type }: { readonly name: string; readonly type: string },
): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser takes it up in its own time; a page that is left frees it anyway.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
