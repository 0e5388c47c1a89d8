/** What is delegated in the loopback internet that `scripts/services --tests` has started. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Domain, readDoubts, readRegisteredNames } from '../source.ts'
import { createInternet } from './zones.ts'
import type { Internet } from './zones.ts'

export function readInternet(): Internet {
  return createInternet(readFileSync(join(import.meta.dirname, 'taken-words.txt'), 'utf8'))
}

const doubtsOf = readDoubts()

/** A plain word or a short name that DNS lacks may be one that its registry keeps for more money: `unknown`. */
export const isPremiumProne = (domain: string): boolean => doubtsOf(domain as Domain).premiumProne

const registeredIn = readRegisteredNames()

/** Whether a node that tests its resolver from time to time asks for this name. */
export const isControlName = (name: string): boolean =>
  /^[a-z]{20}\./.test(name) || registeredIn(name.slice(name.indexOf('.') + 1)).includes(name)
