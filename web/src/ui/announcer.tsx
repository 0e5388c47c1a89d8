/**
 * What happens on the page, for those who do not see it: one polite region that is there from the start and speaks at most
 * once in two seconds. What comes in between is replaced by what comes later, because only the last is still true.
 */
import { useSyncExternalStore } from 'react'

const EVERY_MS = 2_000

let said = ''
let next: string | undefined
let quietUntil = 0
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export function announce(text: string): void {
  next = text
  timer ??= setTimeout(speak, Math.max(0, quietUntil - performance.now()))
}

function speak(): void {
  timer = undefined
  if (next === undefined) return
  said = next
  next = undefined
  quietUntil = performance.now() + EVERY_MS
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Announcer() {
  const text = useSyncExternalStore(subscribe, () => said)
  return (
    <p className="sr-only" aria-live="polite" data-announcer>
      {text}
    </p>
  )
}
