/** What strangers write, without what is not seen or turns the lines around it. Letters of every language stay. */

// Marks and overrides of direction. Joiners stay: some scripts and most emoji are written with them.
const TURNING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** Several lines, of which no more than one in a row is empty. */
export function plainText(text: string): string {
  return (
    text
      .normalize('NFC')
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\n]/gu, ' ')
      .replace(TURNING, '')
      .replace(/\p{Cn}|\p{Co}|\p{Cs}/gu, ' ')
      // Marks that pile up cover the lines above and below.
      .replace(/(\p{M}{2})\p{M}+/gu, '$1')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}

export function plainLine(text: string): string {
  return plainText(text).replace(/[\s\p{Z}]+/gu, ' ')
}
