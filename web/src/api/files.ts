/** A file of the app itself, such as a font, as a `data:` address. */
export async function readDataUrl(url: string): Promise<string> {
  const reply = await fetch(url)
  if (!reply.ok) throw new TypeError(`${url}: ${reply.status}`)
  const reader = new FileReader()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  reader.addEventListener('load', () => resolve())
  reader.addEventListener('error', () => reject(reader.error ?? new TypeError(url)))
  reader.readAsDataURL(await reply.blob())
  await promise
  return typeof reader.result === 'string' ? reader.result : ''
}
