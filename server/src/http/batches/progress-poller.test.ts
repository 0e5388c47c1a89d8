import { expect, test } from 'vitest'
import type { BatchRow } from '../../automation/batches/batch.ts'
import type { AccountId } from '../../model/caller.ts'
import { createProgressPoller } from './progress-poller.ts'

const [ada, ben] = ['ada', 'ben'] as AccountId[] as [AccountId, AccountId]
const rowOf = (id: string) => ({ id }) as BatchRow

function pollerOf(answer: (ids: string[]) => BatchRow[]) {
  const polls: string[][] = []
  const poller = createProgressPoller(
    {
      async findEach(wanted) {
        const ids = [...wanted].flatMap(([account, of]) => of.map((id) => `${account}/${id}`))
        polls.push(ids)
        return new Map(answer([...wanted.values()].flat()).map((row) => [row.id, row]))
      },
    },
    5,
  )
  return { poller, polls }
}

test('everybody who waits is told by one poll, each batch is asked for once', async () => {
  const { poller, polls } = pollerOf((ids) => ids.map(rowOf))
  const told = await Promise.all([
    poller.next(ada, 'one'),
    poller.next(ada, 'one'),
    poller.next(ada, 'two'),
    poller.next(ben, 'three'),
  ])
  expect(told.map((row) => row?.id)).toEqual(['one', 'one', 'two', 'three'])
  expect(polls).toEqual([['ada/one', 'ada/two', 'ben/three']])
})

test('a batch that is gone is undefined, and nothing is polled while nobody waits', async () => {
  const { poller, polls } = pollerOf(() => [])
  expect(await poller.next(ada, 'one')).toBeUndefined()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(polls).toHaveLength(1)
})

test('a poll that fails fails for everybody who waits, and the next one is tried', async () => {
  let isDown = true
  const { poller } = pollerOf((ids) => {
    if (isDown) throw new Error('down')
    return ids.map(rowOf)
  })
  const first = await Promise.allSettled([poller.next(ada, 'one'), poller.next(ben, 'two')])
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isDown = false
  expect((await poller.next(ada, 'one'))?.id).toBe('one')
})
