import { expect, it } from 'vitest'
import { openNames } from './names.ts'
import { plainNameRequest } from './plain-name-request.ts'

const DESCRIPTIONS = ['A small bakery in Lyon', 'Payroll for restaurants', 'open-source log viewer', 'tea', '🙂', '']
const never = () => new AbortController().signal

it('threads say what one alone says, whoever is asked', async () => {
  const alone = await openNames()
  await using threads = await openNames({ threads: 2 })
  const many = [...DESCRIPTIONS, ...DESCRIPTIONS, ...DESCRIPTIONS]
  const answers = await Promise.all(many.map((text) => threads.propose(plainNameRequest(text), 30, never())))
  for (const [at, text] of many.entries())
    expect(answers[at]).toEqual(await alone.propose(plainNameRequest(text), 30, never()))
})

it('a caller who hangs up is let go at once, and the next is answered', async () => {
  await using threads = await openNames({ threads: 1 })
  const caller = new AbortController()
  const asked = Array.from({ length: 20 }, () => threads.propose(plainNameRequest('tea shop'), 400, caller.signal))
  caller.abort(new Error('hung up'))
  const ended = await Promise.allSettled(asked)
  expect(ended.every(({ status }) => status === 'rejected')).toBe(true)
  expect(await threads.propose(plainNameRequest('tea shop'), 5, never())).toHaveLength(5)
})

it('what cannot be answered is an error for its caller alone', async () => {
  await using threads = await openNames({ threads: 1 })
  const broken = { ...plainNameRequest('tea'), like: [7 as never] }
  await expect(threads.propose(broken, 5, never())).rejects.toThrow()
  expect(await threads.propose(plainNameRequest('tea'), 5, never())).toHaveLength(5)
})

it('a line in which nobody could be answered in time is not joined, and one that is joined is answered', async () => {
  await using threads = await openNames({ threads: 1 })
  const caller = new AbortController()
  const asked = Array.from({ length: 150 }, () =>
    threads.propose(plainNameRequest('tea shop'), 40, caller.signal, { withinMs: 60_000 }),
  )
  const { length, eachMs } = threads.queue()
  expect(length).toBe(150)
  expect(eachMs).toBeGreaterThan(0)
  await expect(threads.propose(plainNameRequest('tea'), 5, never(), { withinMs: 1_000 })).rejects.toMatchObject({
    code: 'overloaded',
  })
  const late = threads.propose(plainNameRequest('tea'), 5, never(), { withinMs: 60_000 })
  caller.abort(new Error('hung up'))
  await Promise.allSettled(asked)
  expect(await late).toHaveLength(5)
  // Whoever went was not worked on.
  expect(threads.queue().length).toBe(0)
})

it('one that asks for much does not keep another waiting, and pays for what it no longer waits for', async () => {
  await using threads = await openNames({ threads: 1 })
  const caller = new AbortController()
  let cpuMs = 0
  const turn = { subject: 'many', withinMs: 60_000, onCpu: (ms: number) => void (cpuMs += ms) }
  const asked = Array.from({ length: 100 }, () =>
    threads.propose(plainNameRequest('tea shop'), 400, caller.signal, turn),
  )
  await threads.propose(plainNameRequest('tea'), 5, never(), { subject: 'few', withinMs: 1_000 })
  // Those that are still in the queue, but for the few that were worked on.
  expect(threads.queue().length).toBeGreaterThan(90)
  caller.abort(new Error('hung up'))
  await Promise.allSettled(asked)
  await threads.propose(plainNameRequest('tea'), 5, never(), { subject: 'few' })
  const { length, cpuMs: allMs } = threads.queue()
  expect(length).toBe(0)
  expect(cpuMs).toBeGreaterThan(0)
  expect(cpuMs).toBeLessThanOrEqual(allMs)
})
