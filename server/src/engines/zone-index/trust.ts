/**
 * Tests the files of a suffix: certainly registered names must be in them, and random names must not.
 *
 * This catches a zone of the wrong suffix, a truncated one, and a filter that finds everything. It costs a few
 * lookups in memory.
 */
import { findSureName, makeUnregisteredName } from '../availability/control-names.ts'
import type { RegisteredNames } from '../availability/control-names.ts'
import { createHash, hashText } from './hash.ts'
import type { SuffixFiles } from './suffix-files.ts'

// The filter has one false positive in 65,536 names; three of three are not by chance.
const RANDOM_NAMES = 3

/** Undefined if they pass; otherwise the failure. */
export function findFault(
  suffix: string,
  { hasHash }: Pick<SuffixFiles, 'hasHash'>,
  registeredIn: RegisteredNames,
): string | undefined {
  const hash = createHash()
  const has = (name: string) => {
    hashText(name, hash)
    return hasHash(hash[0] as number, hash[1] as number)
  }
  const sure = findSureName(registeredIn, suffix)
  // A zone lists the names directly below it: "google.co.uk" is not in the zone of uk.
  if (sure?.endsWith(`.${suffix}`) && sure.split('.').length === suffix.split('.').length + 1 && !has(sure))
    return `lacks ${sure}`
  const random = Array.from({ length: RANDOM_NAMES }, () => makeUnregisteredName(suffix))
  return random.every(has) ? `contains unregistered domains under .${suffix}` : undefined
}
