/** Several times as many records: a page of history touches the same buffers. `pnpm exec node server/test/nightly/faults/growth.ts` goes further. */
import { expect, test } from 'vitest'
import { measureGrowth } from './growth.ts'

const ROWS = 1_000_000

test(
  'what history asks touches one partition by its index, and no more buffers in a larger table',
  { timeout: 240_000 },
  async () => {
    const [small, large] = await measureGrowth(ROWS)
    console.log(
      [small, large].map(({ rows, statements }) => ({
        rows,
        statements: statements.map((one) => `${one.what} ${one.plan} ${one.buffers}`),
      })),
    )
    expect([small.rows, large.rows]).toEqual([100_000, ROWS])
    for (const [i, now] of large.statements.entries()) {
      const { what, plan, buffers, returned } = now
      expect(small.statements[i]).toMatchObject({ what, plan, returned })
      // In a small table the planner may find it as cheap to read more; the lesser of both plans is what to hold to.
      const sameKind = small.statements.filter(
        (one) => one.what === what && (what.includes('page') || one.plan === plan),
      )
      const before = Math.min(...sameKind.map((one) => one.buffers))
      expect(buffers / before, `${what}, ${plan} plan`).toBeLessThanOrEqual(1.3)
      const read = now.scans.filter((scan) => !scan.startsWith('ModifyTable'))
      expect(new Set(read.map((scan) => scan.split(' ').at(-1))).size, `${what}: ${read.join()}`).toBe(1)
      expect(
        read.every((scan) => /^(Index|Index Only|Bitmap Heap) Scan history_p\d+$/.test(scan)),
        read.join(),
      ).toBe(true)
      if (what.includes('page')) {
        expect(returned).toBe(21)
        expect(read).toEqual([expect.stringMatching(/^Index Scan history_p\d+$/)])
      }
    }
  },
)
