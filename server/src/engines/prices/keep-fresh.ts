/**
 * Keeps prices current while a node runs: the lists once a day, the operator's own files as soon as they change.
 *
 * It must never keep a connection or the process open; `close` ends a request in flight.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Prices } from './prices.ts'

const MINUTE_MS = 60_000
// Both lists change once a day at most.
const REFRESH_MS = 24 * 60 * MINUTE_MS
// After a failure: soon enough to miss hours and not days, rare enough not to load a server that is down.
const RETRY_MS = 60 * MINUTE_MS
// Nodes that were started together must not fetch at the same time.
const SPREAD = 0.1

export function keepFresh(
  prices: Pick<Prices, 'refresh' | 'reload'>,
  { random = Math.random }: { random?: () => number } = {},
): { close(): Promise<void> } {
  const stop = new AbortController()

  async function repeat(step: () => Promise<number>): Promise<void> {
    try {
      while (!stop.signal.aborted) {
        const pauseMs = (await step()) * (1 - SPREAD * random())
        await sleep(pauseMs, undefined, { signal: stop.signal, ref: false })
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error
    }
  }

  const running = Promise.all([
    repeat(async () => ((await prices.refresh(stop.signal)) ? REFRESH_MS : RETRY_MS)),
    repeat(async () => {
      await prices.reload()
      return MINUTE_MS
    }),
  ])
  return {
    async close() {
      stop.abort()
      await running
    },
  }
}
