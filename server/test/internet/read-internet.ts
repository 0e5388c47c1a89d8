/** What is delegated in the loopback internet that `scripts/services --tests` has started. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInternet } from './zones.ts'
import type { Internet } from './zones.ts'

export function readInternet(): Internet {
  return createInternet(readFileSync(join(import.meta.dirname, 'taken-words.txt'), 'utf8'))
}
