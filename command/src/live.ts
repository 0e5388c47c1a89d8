/**
 * An area of the terminal that is redrawn in place.
 *
 * Each redraw is one write: the cursor moves up to the first line, changed lines are overwritten, and the rest below is
 * cleared. With synchronized output there is no flicker, and the area is never empty in between. Lines that do not fit
 * the screen are cut, because the cursor cannot move above its top; the final output is complete. The frame rate is
 * limited.
 */
import type { Output } from './streams.ts'
import { cut } from './width.ts'

export interface Live {
  /** Draws now, or with the next frame. The lines must be narrower than the terminal. */
  draw(linesOf: () => readonly string[]): void
  /** Removes the area from the screen. */
  clear(): void
  /** Restores the terminal; must always be called. */
  close(): void
}

const HIDE_CURSOR = '\x1b[?25l'
const SHOW_CURSOR = '\x1b[?25h'
const BEGIN = '\x1b[?2026h'
const END = '\x1b[?2026l'
const CLEAR_LINE = '\x1b[K'
const CLEAR_BELOW = '\x1b[J'

const FRAME_MS = 40

export function openLive(output: Output): Live {
  let shown: readonly string[] = []
  let isOpen = false
  let drawnAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest: () => readonly string[] = () => []

  const toTop = () => (shown.length > 0 ? `\x1b[${shown.length}A\r` : '')

  function drawNow(): void {
    clearTimeout(timer)
    timer = undefined
    drawnAt = performance.now()
    const lines = latest()
    const most = Math.max(2, (output.rows ?? 24) - 1)
    const hidden = lines.length - most
    const visible =
      hidden > 0
        ? [...lines.slice(0, most - 2), cut(`… ${hidden + 1} more`, widthOfOutput(output)), ...lines.slice(-1)]
        : lines
    if (visible.length === shown.length && visible.every((line, i) => line === shown[i])) return
    const body = visible.map((line, i) => (line === shown[i] ? '\n' : `${line}${CLEAR_LINE}\n`)).join('')
    const below = shown.length > visible.length ? CLEAR_BELOW : ''
    output.write(`${BEGIN}${isOpen ? '' : HIDE_CURSOR}${toTop()}${body}${below}${END}`)
    isOpen = true
    shown = visible
  }

  return {
    draw(linesOf) {
      latest = linesOf
      const waitMs = drawnAt + FRAME_MS - performance.now()
      if (drawnAt === 0 || waitMs <= 0) drawNow()
      else timer ??= setTimeout(drawNow, waitMs)
    },
    clear() {
      clearTimeout(timer)
      timer = undefined
      if (shown.length > 0) output.write(`${toTop()}${CLEAR_BELOW}`)
      shown = []
    },
    close() {
      if (isOpen) output.write(SHOW_CURSOR)
      isOpen = false
    },
  }
}

/** One less than the terminal has: some terminals wrap after the last column. */
export function widthOfOutput(output: Output): number {
  return Math.max(20, (output.columns ?? 80) - 1)
}
