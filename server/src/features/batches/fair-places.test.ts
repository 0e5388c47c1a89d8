import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AccountId } from '../../model/caller.ts'
import { createFairPlaces } from './fair-places.ts'

const [ada, ben, cyd] = ['ada', 'ben', 'cyd'] as AccountId[] as [AccountId, AccountId, AccountId]
const never = new AbortController().signal

/** Records every holder of a slot, in order, and can release one. */
function watch(places: number) {
  const fair = createFairPlaces(places)
  const running: { account: AccountId; end: () => void }[] = []
  const order: string[] = []
  const ask = (account: AccountId, name: string, signal = never) =>
    fair.runInSlot(account, signal, () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      running.push({ account, end: resolve })
      order.push(name)
      return promise
    })
  return {
    order,
    ask,
    giveBack: async (account: AccountId) => {
      const at = running.findIndex((one) => one.account === account)
      const [one] = running.splice(at, 1)
      one?.end()
      await turn()
    },
  }
}

test('places are given out up to their number, and then as they come back', async () => {
  const { ask, order, giveBack } = watch(2)
  for (const name of ['1', '2', '3']) void ask(ada, name)
  await turn()
  expect(order).toEqual(['1', '2'])
  await giveBack(ada)
  expect(order).toEqual(['1', '2', '3'])
})

test('a long line of one account does not stand in front of another', async () => {
  const { ask, order, giveBack } = watch(4)
  for (let n = 0; n < 100; n++) void ask(ada, `ada ${n}`)
  await turn()
  for (let n = 0; n < 3; n++) void ask(ben, `ben ${n}`)
  for (let n = 0; n < 3; n++) await giveBack(ada)
  // Two of four; then no account has fewer, and it is the turn of Ada, who has waited longest.
  expect(order.slice(4)).toEqual(['ben 0', 'ben 1', 'ada 4'])
})

test('among those who hold equally few, the one that got none for longest is next', async () => {
  const { ask, order, giveBack } = watch(1)
  void ask(cyd, 'cyd')
  await turn()
  for (const account of [ada, ben]) for (let n = 0; n < 2; n++) void ask(account, `${account} ${n}`)
  for (const account of [cyd, ada, ben, ada]) await giveBack(account)
  expect(order).toEqual(['cyd', 'ada 0', 'ben 0', 'ada 1', 'ben 1'])
})

test('within an account first come is first served', async () => {
  const { ask, order, giveBack } = watch(1)
  for (const name of ['1', '2', '3', '4']) void ask(ada, name)
  await turn()
  for (let n = 0; n < 3; n++) await giveBack(ada)
  expect(order).toEqual(['1', '2', '3', '4'])
})

test('who gives up leaves the line, and holds no place', async () => {
  const { ask, order, giveBack } = watch(1)
  void ask(ada, 'first')
  const hangUp = new AbortController()
  const given = ask(ben, 'gone', hangUp.signal)
  void ask(cyd, 'last')
  hangUp.abort(new Error('gone'))
  await expect(given).rejects.toThrow('gone')
  await turn()
  await giveBack(ada)
  expect(order).toEqual(['first', 'last'])
  await expect(ask(ada, 'late', hangUp.signal)).rejects.toThrow('gone')
})
