/** Bars as lines under each other, the missed ones marked. */
import type { Bar } from './plans/plan.ts'

export function tableOf(bars: readonly Bar[]): string[] {
  const width = (of: (bar: Bar) => string) => Math.max(0, ...bars.map((bar) => of(bar).length))
  const [names, wants] = [width(({ name }) => name), width(({ wanted }) => wanted)]
  return bars.map(
    ({ name, wanted, measured, ok, kind }) =>
      `${ok ? 'ok    ' : 'MISSED'}  ${kind.padEnd(6)}  ${name.padEnd(names)}  ${wanted.padEnd(wants)}  ${measured}`,
  )
}
