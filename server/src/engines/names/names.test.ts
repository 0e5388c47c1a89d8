import { expect, it } from 'vitest'
import { plainNameRequest } from '@namewright/names'
import { openNamesFrom } from '@namewright/names/node'
import { openNames } from './names.ts'

const DESCRIPTIONS = ['A small bakery in Lyon', 'Payroll for restaurants', 'open-source log viewer', 'tea', '🙂', '']
const never = () => new AbortController().signal

it('the thread says what the naming says, however many ask', async () => {
  const naming = openNamesFrom()
  await using names = openNames()
  const many = [...DESCRIPTIONS, ...DESCRIPTIONS, ...DESCRIPTIONS]
  const answers = await Promise.all(many.map((text) => names.propose(plainNameRequest(text), 30, never())))
  for (const [at, text] of many.entries()) expect(answers[at]).toEqual(naming.propose(plainNameRequest(text), 30))
})

it('a caller who hangs up is let go at once, and the next is answered', async () => {
  await using names = openNames()
  const caller = new AbortController()
  const asked = Array.from({ length: 20 }, () => names.propose(plainNameRequest('tea shop'), 400, caller.signal))
  caller.abort(new Error('hung up'))
  const ended = await Promise.allSettled(asked)
  expect(ended.every(({ status }) => status === 'rejected')).toBe(true)
  expect(await names.propose(plainNameRequest('tea shop'), 5, never())).toHaveLength(5)
})

it('what cannot be answered is an error for its caller alone', async () => {
  await using names = openNames()
  const broken = { ...plainNameRequest('tea'), like: [7 as never] }
  await expect(names.propose(broken, 5, never())).rejects.toThrow()
  expect(await names.propose(plainNameRequest('tea'), 5, never())).toHaveLength(5)
})

it('a line in which nobody could be answered in time is not joined, and one that is joined is answered', async () => {
  await using names = openNames()
  const caller = new AbortController()
  const asked = Array.from({ length: 150 }, () =>
    names.propose(plainNameRequest('tea shop'), 40, caller.signal, { withinMs: 60_000 }),
  )
  const { length, eachMs } = names.queue()
  expect(length).toBe(150)
  expect(eachMs).toBeGreaterThan(0)
  await expect(names.propose(plainNameRequest('tea'), 5, never(), { withinMs: 1_000 })).rejects.toMatchObject({
    code: 'overloaded',
  })
  const late = names.propose(plainNameRequest('tea'), 5, never(), { withinMs: 60_000 })
  caller.abort(new Error('hung up'))
  await Promise.allSettled(asked)
  expect(await late).toHaveLength(5)
  // Whoever went was not worked on.
  expect(names.queue().length).toBe(0)
})

it('one that asks for much does not keep another waiting, and pays for what it no longer waits for', async () => {
  await using names = openNames()
  const caller = new AbortController()
  let cpuMs = 0
  const turn = { subject: 'many', withinMs: 60_000, onCpu: (ms: number) => void (cpuMs += ms) }
  const asked = Array.from({ length: 100 }, () => names.propose(plainNameRequest('tea shop'), 400, caller.signal, turn))
  await names.propose(plainNameRequest('tea'), 5, never(), { subject: 'few', withinMs: 1_000 })
  // Those that are still in the queue, but for the few that were worked on.
  expect(names.queue().length).toBeGreaterThan(90)
  caller.abort(new Error('hung up'))
  await Promise.allSettled(asked)
  await names.propose(plainNameRequest('tea'), 5, never(), { subject: 'few' })
  const { length, cpuMs: allMs } = names.queue()
  expect(length).toBe(0)
  expect(cpuMs).toBeGreaterThan(0)
  expect(cpuMs).toBeLessThanOrEqual(allMs)
})
