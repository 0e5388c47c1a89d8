/**
 * Copies a text that is still being found out. The browser gets a promise at once, because some allow it only in the moment of the
 * press; when the text fails, nothing is copied.
 */
export async function copyWhenReady(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') {
    await navigator.clipboard.writeText(await text)
    return
  }
  const blob = text.then((ready) => new Blob([ready], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}
