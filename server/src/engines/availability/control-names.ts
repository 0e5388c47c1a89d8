/**
 * Control names to test a source with, because it is known beforehand whether they are registered: some have been
 * registered for years, and random ones are certainly unregistered.
 */
import { randomInt } from 'node:crypto'
import { readData } from '../../data.ts'

/** Names under a suffix that are registered, the most certain first. A source that denies all of them is wrong. */
export type RegisteredNames = (suffix: string) => readonly [string, ...string[]]

// 26^20 combinations: no registry has one by accident.
const RANDOM_LENGTH = 20

export function readRegisteredNames(): RegisteredNames {
  const { registered } = JSON.parse(readData('rdap.json')) as { registered: { domains: string } }
  return createRegisteredNames(registered.domains)
}

/**
 * `domains`, separated by spaces, each for every suffix it is under: "google.co.uk" applies to co.uk and to uk. ICANN
 * requires its registries to reserve nic.<suffix>, and most other registries do.
 */
export function createRegisteredNames(domains: string): RegisteredNames {
  const bySuffix = new Map<string, string>()
  for (const domain of domains.split(' ')) {
    for (let dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) {
      bySuffix.set(domain.slice(dot + 1), domain)
    }
  }
  return (suffix) => {
    const domain = bySuffix.get(suffix)
    return domain === undefined ? [`nic.${suffix}`] : [domain, `nic.${suffix}`]
  }
}

/** Undefined if only `nic.<suffix>` is listed, which a few registries do not reserve. */
export function findSureName(registeredIn: RegisteredNames, suffix: string): string | undefined {
  const names = registeredIn(suffix)
  return names.length > 1 ? names[0] : undefined
}

export function makeUnregisteredName(suffix: string): string {
  return `${Array.from({ length: RANDOM_LENGTH }, () => String.fromCharCode(0x61 + randomInt(26))).join('')}.${suffix}`
}
