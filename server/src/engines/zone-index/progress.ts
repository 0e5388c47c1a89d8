/**
 * Shows the progress of a build: on a terminal as one line that redraws itself, elsewhere as an occasional line, so
 * that a log does not fill with bars.
 */
import type { Progress } from './build.ts'

export interface ProgressBar {
  show(progress: Progress): void
  /** Ends the line, so that the next output starts on its own line. */
  end(): void
}

const REDRAW_MS = 200
const LINE_MS = 30_000
const WIDTH = 24
// Reading is about two thirds of the work on a zone; building starts when everything is read.
const READ_SHARE = 0.65

export function createProgressBar(
  stream: { write(text: string): unknown; readonly isTTY?: boolean },
  sizes: ReadonlyMap<string, number>,
  now: () => number,
): ProgressBar {
  const isTerminal = stream.isTTY === true
  const startedAt = now()
  const whole = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  let finished = 0
  let current = ''
  let shownAt = -Infinity
  let isDirty = false

  return {
    show({ suffix, phase, done, total }) {
      if (suffix !== current) {
        finished += sizes.get(current) ?? 0
        current = suffix
      }
      const at = now()
      if (at - shownAt < (isTerminal ? REDRAW_MS : LINE_MS)) return
      shownAt = at
      const ofPhase = done / Math.max(1, total)
      const ofZone = phase === 'read' ? ofPhase * READ_SHARE : READ_SHARE + ofPhase * (1 - READ_SHARE)
      const share = Math.min(1, (finished + (sizes.get(suffix) ?? 0) * ofZone) / Math.max(1, whole))
      const left = share > 0 ? ((at - startedAt) * (1 - share)) / share : Infinity
      const filled = Math.round(share * WIDTH)
      const percent = `${Math.floor(share * 100)} %`.padStart(5)
      const text = `${percent}  ${suffix} (${phase})  ${durationOf(left)} left`
      const bar = `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}]`
      // Clears the rest of a longer previous line.
      stream.write(isTerminal ? `\r${bar} ${text}\u001B[K` : `${text.trim()}\n`)
      isDirty = isTerminal
    },
    end() {
      if (isDirty) stream.write('\n')
      isDirty = false
    },
  }
}

function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (!Number.isFinite(seconds)) return 'unknown time'
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}
