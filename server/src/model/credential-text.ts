/**
 * The text of a credential: a kind, 30 random base62 characters, 6 characters of CRC-32. `nw_` is an API key, `nwp_`
 * a publishable one, `nwa_` an access token, `nwr_` a refresh token, `nwc_` the secret of an application.
 *
 * The checksum lets a secret scanner recognise a real credential and lets us reject a typo without a database query.
 * It proves nothing: only the stored SHA-256 of the whole text authenticates.
 */
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type CredentialTextKind = 'nw' | 'nwp' | 'nwa' | 'nwr' | 'nwc'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SHAPE = /^(nw[parc]?)_[0-9A-Za-z]{36}$/
const BODY_LENGTH = 30
const CHECKSUM_LENGTH = 6

export function makeSecret(kind: CredentialTextKind = 'nw'): string {
  return secretWith(
    kind,
    Array.from({ length: BODY_LENGTH }, () => randomInt(ALPHABET.length)),
  )
}

/** The same text from the same 32 bytes: for a secret that every node must know and that must never be stored. */
export function deriveSecret(kind: CredentialTextKind, bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  return secretWith(
    kind,
    Array.from({ length: BODY_LENGTH }, () => {
      const digit = Number(rest % 62n)
      rest /= 62n
      return digit
    }),
  )
}

/** The kind of credential; undefined if it cannot be one. */
export function kindOf(secret: string): CredentialTextKind | undefined {
  const kind = SHAPE.exec(secret)?.[1]
  const isSound = kind !== undefined && checksum(secret.slice(0, -CHECKSUM_LENGTH)) === secret.slice(-CHECKSUM_LENGTH)
  return isSound ? (kind as CredentialTextKind) : undefined
}

export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Enough to recognise a key in a list, far too little to use it: `nw_AbC1…`. */
export function prefixOf(secret: string): string {
  return `${secret.slice(0, secret.indexOf('_') + 5)}…`
}

function secretWith(kind: CredentialTextKind, digits: readonly number[]): string {
  const body = `${kind}_${digits.map((digit) => ALPHABET[digit]).join('')}`
  return `${body}${checksum(body)}`
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  // 62^6 is above 2^32, so six characters hold every value.
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = `${ALPHABET[rest % 62]}${digits}`
    rest = Math.floor(rest / 62)
  }
  return digits
}
