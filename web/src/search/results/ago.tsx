/** "12 seconds ago", kept true by one clock for all of them. */
import { useSyncExternalStore } from 'react'
import { useFormat } from '../../i18n/format.ts'

const TICK_MS = 10_000

const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  now = Date.now()
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The moment, at most a tick old. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

export function Ago({ moment }: { readonly moment: string }) {
  const at = Math.max(useNow(), Date.parse(moment))
  return <time dateTime={moment}>{useFormat().ago(moment, at)}</time>
}
