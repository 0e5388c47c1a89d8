import { beforeAll, expect, test } from 'vitest'
import type { AvailabilityMode } from '../../engines/availability/availability.ts'
import type { Domain, Label, Suffix } from '../../model/domain.ts'
import type { GenerateRequest } from '../../model/generate-request.ts'
import type { Proposal } from '../../model/name.ts'
import type { Status } from '../../model/verdict.ts'
import { openPrices } from '../../engines/prices/prices.ts'
import type { Prices } from '../../engines/prices/prices.ts'
import { candidatesArrived, fillUp, merged, namesArrived, nextStep } from './run.ts'
import { openFilledQueue, openModelQueue, openQueue, openRun, secondAsk } from './run.ts'
import { rejectionsOf, shortageArrived, shortfallOf, verdictArrived } from './run.ts'
import type { Queue, Run } from './run.ts'

const ENDS_AT = 1_000
let prices: Prices
beforeAll(async () => {
  prices = await openPrices()
})

function open(count: number, availabilityMode: AvailabilityMode = 'strict'): Run {
  const request: Partial<GenerateRequest> = {
    count,
    suffixes: ['com' as Suffix],
    onlyAvailable: true,
    deadlineMs: ENDS_AT,
    currency: 'USD',
    priceLimits: { due: undefined, fiveYears: undefined },
  }
  return openRun({
    request: request as GenerateRequest,
    prices,
    availabilityMode,
    variants: [],
    endsAt: ENDS_AT,
  })
}

const named = (...labels: string[]) => labels.map((label) => ({ label, name: label }) as Proposal)

function learn(run: Run, verdicts: Readonly<Record<string, Status>>, confidence: 'definitive' | 'likely'): void {
  for (const [label, status] of Object.entries(verdicts)) {
    const domain = `${label}.com` as Domain
    verdictArrived(run, domain, { domain, status, confidence, sources: [], checkedAt: 0, expiresAt: 0 })
  }
}

/** The next step, with names as labels. */
function next(run: Run, queue: Queue, now = 0) {
  const step = nextStep(run, queue, now)
  if (step.todo === 'screen' || step.todo === 'confirm') return [step.todo, ...step.names.map(({ label }) => label)]
  if (step.todo === 'show') return ['show', ...step.kept.map(({ proposal }) => proposal.label)]
  return step.todo === 'propose' ? ['propose', step.wanted] : ['stop']
}

/** A queue of one name that has been shown. */
function finished(run: Run, ...labels: Label[] | string[]): Queue {
  const queue = openQueue('model')
  namesArrived(run, queue, named(...labels))
  nextStep(run, queue, 0)
  learn(run, Object.fromEntries(labels.map((label) => [label, 'available'])), 'definitive')
  while (nextStep(run, queue, 0).todo !== 'stop');
  return queue
}

test('names of ours arrive, are screened, confirmed and shown, and no more are asked for', () => {
  const run = open(1)
  const queue = openFilledQueue(run)
  expect(next(run, queue)).toEqual(['propose', 40])
  namesArrived(run, queue, named('mayfly', 'bivouac'))
  expect(next(run, queue)).toEqual(['screen', 'mayfly', 'bivouac'])
  learn(run, { mayfly: 'available', bivouac: 'available' }, 'likely')
  expect(next(run, queue)).toEqual(['confirm', 'mayfly'])
  learn(run, { mayfly: 'available' }, 'definitive')
  expect(next(run, queue)).toEqual(['show', 'mayfly'])
  expect(next(run, queue)).toEqual(['stop'])
})

test('a verdict that takes a name away brings up the one that waited behind it', () => {
  const run = open(1)
  const queue = openQueue('model')
  namesArrived(run, queue, named('mayfly', 'bivouac'))
  next(run, queue)
  learn(run, { mayfly: 'available', bivouac: 'available' }, 'likely')
  next(run, queue)
  learn(run, { mayfly: 'taken' }, 'definitive')
  expect(next(run, queue)).toEqual(['show'])
  expect(next(run, queue)).toEqual(['screen'])
  expect(next(run, queue)).toEqual(['confirm', 'bivouac'])
  learn(run, { bivouac: 'available' }, 'definitive')
  expect(next(run, queue)).toEqual(['show', 'bivouac'])
})

test('when all names are taken there is one second round with more names, of which known ones are not checked again', () => {
  const run = open(10, 'balanced')
  const queue = openFilledQueue(run)
  expect(next(run, queue)).toEqual(['propose', 40])
  namesArrived(run, queue, named('mayfly'))
  expect(next(run, queue)).toEqual(['screen', 'mayfly'])
  learn(run, { mayfly: 'taken' }, 'definitive')
  expect(next(run, queue)).toEqual(['show'])
  expect(next(run, queue)).toEqual(['propose', 120])
  namesArrived(run, queue, named('mayfly', 'bivouac'))
  expect(next(run, queue)).toEqual(['screen', 'bivouac'])
  learn(run, { bivouac: 'available' }, 'definitive')
  expect(next(run, queue)).toEqual(['show', 'bivouac'])
  expect(next(run, queue)).toEqual(['stop'])
})

test('names of the model come before ours, whoever was first, and the surplus is dropped', () => {
  const run = open(2, 'balanced')
  const ours = finished(run, 'mayfly', 'bivouac')
  const fromModel = finished(run, 'bivouac')
  const { chosen, dropped } = merged(run, [fromModel, ours])
  expect(chosen.map(({ proposal }) => proposal.label)).toEqual(['bivouac', 'mayfly'])
  expect(dropped).toEqual([])
  const [more] = finished(run, 'elsewhere').found
  fromModel.found.push(more!)
  expect(merged(run, [fromModel, ours]).dropped.map(({ proposal }) => proposal.label)).toEqual(['mayfly'])
})

/** A queue whose names the model has written and that have been checked under two suffixes. */
function openWritten(count: number, com: Readonly<Record<string, Status>>, io: Status) {
  const run = open(count, 'balanced')
  const both = openRun({ ...run, request: { ...run.request, suffixes: ['com', 'io'] as Suffix[] } })
  const queue = openModelQueue(both)
  const labels = Object.keys(com)
  both.written = labels.map((name) => ({ name }))
  namesArrived(both, queue, named(...labels))
  expect(next(both, queue)).toEqual(['screen', ...labels])
  learn(both, com, 'definitive')
  for (const label of labels) {
    const domain = `${label}.io` as Domain
    const known = { confidence: 'definitive' as const, sources: [], checkedAt: 0, expiresAt: 0 }
    verdictArrived(both, domain, { domain, status: io, ...known })
  }
  return { run: both, queue }
}

test('while the model writes, a name that is free only under a later suffix waits; then it comes before built-in ones', () => {
  const { run, queue } = openWritten(3, { mayfly: 'taken', bivouac: 'available' }, 'available')
  expect(next(run, queue)).toEqual(['show', 'bivouac'])
  expect(next(run, queue)).toEqual(['stop'])
  fillUp(run, queue)
  expect(next(run, queue)).toEqual(['screen'])
  expect(next(run, queue)).toEqual(['show', 'mayfly'])
  expect(next(run, queue)).toEqual(['propose', 40])
})

test('the model is asked again with what was taken, as long as its reply took less than what is left', () => {
  const { run, queue } = openWritten(2, { mayfly: 'taken', bivouac: 'available', outpost: 'unknown' }, 'taken')
  while (nextStep(run, queue, 0).todo !== 'stop');
  expect(secondAsk(run, queue, 300, 500)).toEqual({ taken: ['mayfly'], missing: 1, allowedMs: 300 })
  expect(secondAsk(run, queue, 301, 500)).toBeUndefined()
  expect(secondAsk(run, queue, 0, ENDS_AT)).toBeUndefined()
})

test('the model is not asked again when enough is free, nothing is known to be taken, or taken names are welcome', () => {
  const enough = openWritten(1, { mayfly: 'taken', bivouac: 'available' }, 'taken')
  while (nextStep(enough.run, enough.queue, 0).todo !== 'stop');
  expect(secondAsk(enough.run, enough.queue, 0, 0)).toBeUndefined()
  const unknown = openWritten(1, { mayfly: 'unknown' }, 'unknown')
  while (nextStep(unknown.run, unknown.queue, 0).todo !== 'stop');
  expect(secondAsk(unknown.run, unknown.queue, 0, 0)).toBeUndefined()
  const taken = openWritten(1, { mayfly: 'taken' }, 'taken')
  while (nextStep(taken.run, taken.queue, 0).todo !== 'stop');
  expect(secondAsk(taken.run, taken.queue, 0, 0)).toBeDefined()
  const welcome = { ...taken.run, request: { ...taken.run.request, onlyAvailable: false } }
  expect(secondAsk(welcome, taken.queue, 0, 0)).toBeUndefined()
})

test('at most thirty taken names are told', () => {
  const labels = Array.from(
    { length: 40 },
    (_, at) => `may${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}`,
  )
  const { run, queue } = openWritten(40, Object.fromEntries(labels.map((label) => [label, 'taken'])), 'taken')
  while (nextStep(run, queue, 0).todo !== 'stop');
  expect(secondAsk(run, queue, 0, 0)?.taken).toEqual(labels.slice(0, 30))
})

test('while the model is late its queue stops, and goes on when a name arrives', () => {
  const run = open(1, 'balanced')
  const fromModel = openQueue('model')
  expect(next(run, fromModel)).toEqual(['stop'])
  namesArrived(run, fromModel, named('mayfly'))
  expect(next(run, fromModel)).toEqual(['screen', 'mayfly'])
  learn(run, { mayfly: 'available' }, 'definitive')
  expect(next(run, fromModel)).toEqual(['show', 'mayfly'])
})

test('after the deadline what was begun is settled, and nothing else is begun', () => {
  const run = open(2)
  const queue = openFilledQueue(run)
  next(run, queue)
  namesArrived(run, queue, named('mayfly', 'bivouac', 'elsewhere', 'outpost', 'fernmate', 'loafwheel'))
  expect(next(run, queue)).toEqual(['screen', 'mayfly', 'bivouac', 'elsewhere', 'outpost', 'fernmate'])
  learn(
    run,
    { mayfly: 'available', bivouac: 'taken', elsewhere: 'taken', outpost: 'taken', fernmate: 'taken' },
    'likely',
  )
  expect(next(run, queue, ENDS_AT)).toEqual(['confirm', 'mayfly'])
  learn(run, { mayfly: 'available' }, 'definitive')
  expect(next(run, queue, ENDS_AT)).toEqual(['show', 'mayfly'])
  expect(next(run, queue, ENDS_AT)).toEqual(['stop'])
  expect(shortfallOf(run, 1, ENDS_AT, () => [])).toMatchObject({
    wanted: 2,
    returned: 1,
    reason: 'deadline',
  })
})

test('a first proposal is made even if the model has used up the time', () => {
  const run = open(2)
  const queue = openFilledQueue(run)
  expect(next(run, queue, ENDS_AT)).toEqual(['propose', 40])
  namesArrived(run, queue, named('mayfly'))
  expect(next(run, queue, ENDS_AT)).toEqual(['stop'])
  expect(shortfallOf(run, 0, ENDS_AT, () => [])).toEqual({ wanted: 2, returned: 0, reason: 'deadline' })
})

test('when no source has budget before the deadline, further names are not tried', () => {
  const run = open(1)
  const queue = openQueue('model')
  namesArrived(run, queue, named('mayfly', 'bivouac'))
  next(run, queue)
  learn(run, { mayfly: 'available', bivouac: 'available' }, 'likely')
  expect(next(run, queue)).toEqual(['confirm', 'mayfly'])
  shortageArrived(run, { source: 'vercel', retryMs: 2 * ENDS_AT }, 0)
  expect(next(run, queue)).toEqual(['show'])
  expect(next(run, queue)).toEqual(['stop'])
  expect(shortfallOf(run, 0, 0, () => [])).toMatchObject({
    reason: 'availability_unknown',
    sources: [{ source: 'vercel', state: 'rate_limited' }],
    retry_after: 2,
  })
})

/** A run with candidates, which the naming has admitted. */
function openOwn(count: number, ...labels: string[]): Run {
  const run = open(count)
  const names = named(...labels)
  const candidates = names.map(({ label, name }) => ({ label, name, letters: label }))
  const request = { ...run.request, candidates: { names: candidates, rules: run.request.names, fill: true } }
  const own = openRun({ ...run, request })
  candidatesArrived(own, labels, names)
  return own
}

test("the caller's names are screened together, confirmed in their order, and each is accounted for", () => {
  const run = openOwn(1, 'mayfly', 'bivouac', 'elsewhere', 'outpost')
  expect(next(run, run.own)).toEqual(['screen', 'mayfly', 'bivouac', 'elsewhere', 'outpost'])
  learn(run, { mayfly: 'available', bivouac: 'taken', elsewhere: 'available', outpost: 'available' }, 'likely')
  expect(next(run, run.own)).toEqual(['confirm', 'mayfly'])
  learn(run, { mayfly: 'reserved' }, 'definitive')
  expect(next(run, run.own)).toEqual(['show'])
  expect(next(run, run.own)).toEqual(['screen'])
  expect(next(run, run.own)).toEqual(['confirm', 'elsewhere'])
  learn(run, { elsewhere: 'available' }, 'definitive')
  expect(next(run, run.own)).toEqual(['show', 'elsewhere'])
  expect(next(run, run.own)).toEqual(['stop'])
  expect(rejectionsOf(run, 0)).toEqual([
    { name: 'mayfly', reason: 'reserved' },
    { name: 'bivouac', reason: 'taken' },
    { name: 'outpost', reason: 'not_checked' },
  ])
})

test('what the cheap sources do not know of a candidate is confirmed, and never suggested without it', () => {
  const run = openOwn(2, 'mayfly', 'bivouac')
  next(run, run.own)
  learn(run, { mayfly: 'unknown', bivouac: 'unknown' }, 'likely')
  expect(next(run, run.own)).toEqual(['confirm', 'mayfly', 'bivouac'])
  learn(run, { mayfly: 'available' }, 'definitive')
  expect(next(run, run.own)).toEqual(['show', 'mayfly'])
  expect(rejectionsOf(run, 0)).toEqual([{ name: 'bivouac', reason: 'unknown' }])
})

test('after the deadline the candidates that nobody was asked about are not checked', () => {
  const run = openOwn(2, 'mayfly', 'bivouac')
  expect(next(run, run.own, ENDS_AT)).toEqual(['stop'])
  expect(rejectionsOf(run, ENDS_AT).map(({ reason }) => reason)).toEqual(['not_checked', 'not_checked'])
})

test('names that fill up come after the candidates, fill only the rest, and repeat none of them', () => {
  const run = openOwn(2, 'mayfly', 'bivouac')
  next(run, run.own)
  learn(run, { mayfly: 'available', bivouac: 'taken' }, 'definitive')
  while (nextStep(run, run.own, 0).todo !== 'stop');
  const filled = openFilledQueue(run)
  expect(next(run, filled)).toEqual(['propose', 40])
  namesArrived(run, filled, named('mayfly', 'bivouac', 'elsewhere', 'outpost'))
  expect(next(run, filled)).toEqual(['screen', 'elsewhere', 'outpost'])
  learn(run, { elsewhere: 'available', outpost: 'available' }, 'definitive')
  expect(next(run, filled)).toEqual(['confirm', 'elsewhere'])
  expect(next(run, filled)).toEqual(['show', 'elsewhere'])
  expect(next(run, filled)).toEqual(['stop'])
  expect([...run.own.found, ...filled.found].map(({ origin }) => origin)).toEqual(['candidate', 'built_in'])
})
