import { expect, test } from 'vitest'
import { createTaskQueue } from './task-queue.ts'

interface Task {
  readonly subject: string
}

type Queue = ReturnType<typeof createTaskQueue<Task>>

function add(queue: Queue, subject: string, tasks: number): Task[] {
  const added = Array.from({ length: tasks }, () => ({ subject }))
  for (const task of added) queue.add(subject, task)
  return added
}

/** Takes so many tasks, one after the other; each costs what its subject's cost. */
function serve(queue: Queue, tasks: number, costs: Readonly<Record<string, number>> = {}): string[] {
  return Array.from({ length: tasks }, () => {
    const next = queue.take()
    if (next === undefined) return ''
    const { subject } = next.task
    queue.settle(subject, next.expectedMs, costs[subject] ?? 10)
    return subject
  })
}

const countOf = (served: readonly string[], subject: string) => served.filter((one) => one === subject).length

test('a subject with many tasks does not delay one with few', () => {
  const queue = createTaskQueue<Task>()
  add(queue, 'many', 100)
  serve(queue, 10)
  add(queue, 'few', 3)
  expect(countOf(serve(queue, 6), 'few')).toBe(3)
})

test('subjects get the same time, whatever their tasks cost', () => {
  const queue = createTaskQueue<Task>()
  const costs = { costly: 40, cheap: 4 }
  add(queue, 'costly', 200)
  add(queue, 'cheap', 200)
  const served = serve(queue, 110, costs)
  const ratio = (countOf(served, 'costly') * costs.costly) / (countOf(served, 'cheap') * costs.cheap)
  expect(ratio).toBeGreaterThan(0.8)
  expect(ratio).toBeLessThan(1.25)
})

test('a subject that was away has saved nothing up, and one that comes back owes what it used', () => {
  const queue = createTaskQueue<Task>()
  const other = add(queue, 'other', 400)
  add(queue, 'burst', 1)
  serve(queue, 4, { burst: 100 })
  // It has had ten times its share, and cannot escape that by asking for one thing at a time.
  add(queue, 'burst', 1)
  expect(countOf(serve(queue, 5), 'burst')).toBe(0)
  serve(queue, 100)
  // Long after, it is served like anybody else, and not instead of everybody else.
  add(queue, 'burst', 100)
  const served = serve(queue, 100)
  expect(countOf(served, 'burst')).toBeGreaterThan(45)
  expect(countOf(served, 'burst')).toBeLessThan(55)
  expect(other.length).toBeGreaterThan(countOf(served, 'other'))
})

test('tasks of one subject keep their order, and one that is deleted is not taken', () => {
  const queue = createTaskQueue<Task>()
  const [first, second, third] = add(queue, 'one', 3)
  queue.delete('one', second ?? { subject: '' })
  expect(queue.length).toBe(2)
  expect([queue.take()?.task, queue.take()?.task, queue.take()]).toEqual([first, third, undefined])
})

test('what is ahead of a task are those of its subject, and as many of each other', () => {
  const queue = createTaskQueue<Task>()
  add(queue, 'many', 100)
  add(queue, 'few', 2)
  expect(queue.countAhead('new')).toBe(2)
  expect(queue.countAhead('few')).toBe(5)
  expect(queue.countAhead('many')).toBe(102)
})
