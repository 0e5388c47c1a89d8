/**
 * The text of an API key: `nw_`, 30 random base62 characters, 6 characters of CRC-32.
 *
 * The checksum lets a secret scanner tell a real key from a look-alike and lets us refuse a typo without asking the
 * database. It proves nothing: only the SHA-256 of the whole, found in `key_secret`, does.
 */
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SHAPE = /^nw_[0-9A-Za-z]{36}$/
const BODY_END = 'nw_'.length + 30

export function makeSecret(): string {
  const body = Array.from({ length: 30 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `nw_${body}${checksum(`nw_${body}`)}`
}

export function isWellFormed(secret: string): boolean {
  return SHAPE.test(secret) && checksum(secret.slice(0, BODY_END)) === secret.slice(BODY_END)
}

export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Enough to recognise a key in a list, far too little to use it: `nw_AbC1…`. */
export function prefixOf(secret: string): string {
  return `${secret.slice(0, 7)}…`
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  // 62^6 is above 2^32, so six characters hold every value.
  for (let i = 0; i < 6; i++) {
    digits = `${ALPHABET[rest % 62]}${digits}`
    rest = Math.floor(rest / 62)
  }
  return digits
}
