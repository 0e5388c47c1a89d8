/**
 * What happens on the page, for those who do not see it: one polite region that is there from the start and speaks at most
 * once in two seconds. What comes in between is replaced by what comes later, because only the last is still true.
 */
import { createStore, useStore } from '../store.ts'

const EVERY_MS = 2_000

const said = createStore('')
let next: string | undefined
let quietUntil = 0
let timer: ReturnType<typeof setTimeout> | undefined

export function announce(text: string): void {
  next = text
  timer ??= setTimeout(speak, Math.max(0, quietUntil - performance.now()))
}

function speak(): void {
  timer = undefined
  if (next === undefined) return
  const text = next
  next = undefined
  quietUntil = performance.now() + EVERY_MS
  said.change(() => text)
}

export function Announcer() {
  const text = useStore(said)
  return (
    <p className="sr-only" aria-live="polite" data-announcer>
      {text}
    </p>
  )
}
