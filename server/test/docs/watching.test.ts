/** What docs/watching.md says of how often a domain is checked is what the code does. */
import { expect, test } from 'vitest'
import {
  CHANGED_FOR_MS,
  DROPPING_AFTER_MS,
  ENDING_BEFORE_MS,
  EVERY_MS,
  FIRST_PAUSE_MS,
  MAX_PAUSE_MS,
  OVER_AFTER_MS,
} from '../../src/library/watch/schedule.ts'
import { readPage, sectionOf } from './pages.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

test('the table of docs/watching.md is the schedule', () => {
  const section = sectionOf(readPage('docs/watching.md'), '## How often')
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| -'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, of, every]) => [of, every])
  const [before, dropping, over] = [ENDING_BEFORE_MS, DROPPING_AFTER_MS, OVER_AFTER_MS].map((ms) => ms / DAY_MS)
  expect(CHANGED_FOR_MS).toBe(DAY_MS)
  expect(rows).toEqual([
    ['domain', 'interval'],
    ['newly watched', 'immediately'],
    ['changed within the last day', textOf(EVERY_MS.changed)],
    ['available', textOf(EVERY_MS.available)],
    [`registered, until ${before} days before the registration expires`, textOf(EVERY_MS.settled)],
    ['registered, if the registry gives no expiry date', textOf(EVERY_MS.unknownExpiry)],
    [`from ${before} days before the expiry to ${dropping} days after`, textOf(EVERY_MS.ending)],
    [`from ${dropping} to ${over} days after the expiry, when names drop`, textOf(EVERY_MS.dropping)],
    ['after a check without a result, doubled each time', textOf(FIRST_PAUSE_MS)],
    ['after many such checks', textOf(MAX_PAUSE_MS)],
  ])
})

function textOf(ms: number): string {
  const [unit = '', size = 1] =
    ms % DAY_MS === 0 ? ['day', DAY_MS] : ms % HOUR_MS === 0 ? ['hour', HOUR_MS] : ['minute', MINUTE_MS]
  return `${ms / size} ${unit}${ms === size ? '' : 's'}`
}
