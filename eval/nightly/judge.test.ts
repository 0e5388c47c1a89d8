import { expect, test } from 'vitest'
import { openJudge } from '../judge.ts'

test('the judge finds related texts nearer than unrelated ones', async () => {
  const judge = await openJudge()
  await judge.read(['payroll for small companies', 'Pay Day', 'Sea Otter', 'payroll for small companies'])
  const near = judge.similarity('payroll for small companies', 'Pay Day')
  const far = judge.similarity('payroll for small companies', 'Sea Otter')
  expect(near).toBeGreaterThan(far + 0.1)
  expect(judge.similarity('Pay Day', 'Pay Day')).toBeCloseTo(1, 4)
})

test('the judge does not guess about what it has not read', async () => {
  const judge = await openJudge()
  expect(() => judge.similarity('one', 'two')).toThrow('has not read "one"')
})
