/**
 * Tests the files of a suffix: certainly registered names must be in them, and random names must not.
 *
 * This catches a zone of the wrong suffix, a truncated one, and a filter that finds everything. It costs a few
 * lookups in memory.
 */
import { randomInt } from 'node:crypto'
import { createHash, hashText } from './hash.ts'
import type { SuffixFiles } from './suffix-files.ts'

// The filter has one false positive in 65,536 names; three of three are not by chance.
const RANDOM_NAMES = 3
// 26^20 combinations: no registry has one by accident.
const RANDOM_LENGTH = 20

/** A domain that is certainly registered under the suffix, or below it; undefined if none is known. */
export type KnownName = (suffix: string) => string | undefined

/** Undefined if they pass; otherwise the failure. */
export function findFault(
  suffix: string,
  { hasHash }: Pick<SuffixFiles, 'hasHash'>,
  knownName: KnownName,
): string | undefined {
  const hash = createHash()
  const has = (name: string) => {
    hashText(name, hash)
    return hasHash(hash[0] as number, hash[1] as number)
  }
  const known = knownName(suffix)
  // A zone lists the names directly below it: "google.co.uk" is not in the zone of uk.
  if (known?.endsWith(`.${suffix}`) && known.split('.').length === suffix.split('.').length + 1 && !has(known))
    return `lacks ${known}`
  const random = Array.from({ length: RANDOM_NAMES }, () => `${randomLetters()}.${suffix}`)
  return random.every(has) ? `contains unregistered domains under .${suffix}` : undefined
}

function randomLetters(): string {
  return Array.from({ length: RANDOM_LENGTH }, () => String.fromCharCode(0x61 + randomInt(26))).join('')
}
