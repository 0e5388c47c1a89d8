/**
 * Announces changes of the page to screen readers: one polite live region that exists from the start and announces at most
 * once in two seconds. A newer announcement replaces a pending one, because only the last is still true.
 */
import { createStore, useStore } from '../store.ts'

const EVERY_MS = 2_000

const said = createStore('')
let next: string | undefined
let quietUntil = 0
let timer: ReturnType<typeof setTimeout> | undefined

export function announce(text: string): void {
  next = text
  timer ??= setTimeout(flush, Math.max(0, quietUntil - performance.now()))
}

function flush(): void {
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
