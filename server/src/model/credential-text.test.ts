/** The text of a key: its shape, its checksum, and what is none. */
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kindOf, makeSecret, prefixOf } from './credential-text.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secrets = fc.constant(null).map(() => makeSecret())
const characters = fc.constantFrom(...BASE62.split(''))

describe('a key', () => {
  test('is nw_, 30 characters of base62 and their CRC-32 in six more', () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        expect(secret).toMatch(/^nw_[0-9A-Za-z]{36}$/)
        const sum = secret
          .slice(33)
          .split('')
          .reduce((total, digit) => total * 62 + BASE62.indexOf(digit), 0)
        expect(sum).toBe(crc32(secret.slice(0, 33)))
        expect(kindOf(secret)).toBe('nw')
      }),
    )
  })

  test('is never made twice', () => {
    expect(new Set(Array.from({ length: 10_000 }, makeSecret)).size).toBe(10_000)
  })

  test('with one character mistyped is not well formed', () => {
    const typos = fc.tuple(secrets, fc.nat(35), characters)
    fc.assert(
      fc.property(typos, ([secret, at, character]) => {
        fc.pre(secret[at + 3] !== character)
        expect(kindOf(secret.slice(0, at + 3) + character + secret.slice(at + 4))).toBeUndefined()
      }),
      { numRuns: 2000 },
    )
  })

  test('with two neighbours swapped is not well formed', () => {
    fc.assert(
      fc.property(secrets, fc.nat(34), (secret, at) => {
        const [first = '', second = ''] = secret.slice(at + 3, at + 5).split('')
        fc.pre(first !== second)
        expect(kindOf(secret.slice(0, at + 3) + second + first + secret.slice(at + 5))).toBeUndefined()
      }),
    )
  })

  test('is nothing else', () => {
    fc.assert(fc.property(fc.string(), (text) => kindOf(text) === undefined))
    const secret = makeSecret()
    for (const text of [` ${secret}`, `${secret}\n`, secret.slice(1), `${secret}0`, secret.toUpperCase()]) {
      expect(kindOf(text)).toBeUndefined()
    }
  })

  test('shows four of its characters in lists and no more', () => {
    expect(prefixOf('nw_AbC1defghijklmnopqrstuvwxyz0123456789')).toBe('nw_AbC1…')
  })
})
