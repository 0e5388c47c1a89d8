/**
 * Cleans a line of text from untrusted people: removes invisible characters and those that change the direction of text
 * around them. Letters of every language stay.
 */

// Direction marks and overrides. Joiners stay: some scripts and most emoji need them.
const TURNING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

export function plainLine(text: string): string {
  return (
    text
      .normalize('NFC')
      .replace(TURNING, '')
      .replace(/\p{Cc}|\p{Cn}|\p{Co}|\p{Cs}/gu, ' ')
      // Stacked combining marks would cover the lines above and below.
      .replace(/(\p{M}{2})\p{M}+/gu, '$1')
      .replace(/[\s\p{Z}]+/gu, ' ')
      .trim()
  )
}
