/** A progress bar with the estimated time left: one line on standard error, on a terminal only. */
import { openLive, widthOfOutput } from './live.ts'
import type { Paint } from './paint.ts'
import type { Output } from './streams.ts'

export interface Progress {
  update(finished: number, total: number): void
  close(): void
}

const MAX_BAR_WIDTH = 30

export function openProgress(output: Output, { now, paint }: { now: () => number; paint: Paint }): Progress {
  if (output.isTTY !== true) return { update() {}, close() {} }
  const live = openLive(output)
  let first: { readonly at: number; readonly finished: number } | undefined
  return {
    update(finished, total) {
      first ??= { at: now(), finished }
      const since = { ms: now() - first.at, finished: finished - first.finished }
      const width = widthOfOutput(output)
      const words = [`${finished} of ${total}`, `${Math.floor((100 * finished) / Math.max(1, total))} %`]
      const leftMs = timeLeft(since, total - finished)
      if (leftMs !== undefined && finished < total) words.push(`${spanText(leftMs)} left`)
      const text = ` ${words.join(' · ')}`
      const bar = barOf(finished / Math.max(1, total), Math.min(MAX_BAR_WIDTH, width - text.length))
      live.draw(() => [paint(bar, 'green') + text])
    },
    close() {
      live.clear()
      live.close()
    },
  }
}

/** Extrapolated from the speed so far. Undefined before the first progress. */
export function timeLeft(since: { readonly ms: number; readonly finished: number }, left: number): number | undefined {
  return since.finished > 0 && since.ms > 0 ? (since.ms / since.finished) * left : undefined
}

export function spanText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function barOf(share: number, width: number): string {
  if (width < 5) return ''
  const full = Math.floor(share * width)
  return '█'.repeat(full) + '░'.repeat(width - full)
}
