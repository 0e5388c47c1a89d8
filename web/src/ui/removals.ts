/**
 * Removals that can be taken back: what is removed is hidden at once, a note offers the way back, and only when the note
 * has gone is it carried out. Closing the page before that also confirms the removal.
 *
 * Hidden are ids, whatever list they stand in; an item that could not be removed is shown again, with a toast.
 */
import { useSyncExternalStore } from 'react'
import { announce } from './announcer.tsx'
import { faultText } from './fault.tsx'
import { showToast } from './toast.tsx'

interface Removal {
  readonly id: string
  /** What the note says. */
  readonly text: string
  /** What screen readers announce when it is restored. */
  readonly backText: string
  readonly run: () => Promise<void>
}

let hidden: ReadonlySet<string> = new Set()
const waiting = new Map<string, () => Promise<void>>()
const listeners = new Set<() => void>()

function show(id: string, isHidden: boolean): void {
  const next = new Set(hidden)
  if (isHidden) next.add(id)
  else next.delete(id)
  hidden = next
  for (const listener of listeners) listener()
}

async function carryOut(id: string): Promise<void> {
  const run = waiting.get(id)
  waiting.delete(id)
  if (!run) return
  try {
    await run()
  } catch (error) {
    showToast({ kind: 'failed', text: faultText(error) })
  } finally {
    show(id, false)
  }
}

export function removeLater({ id, text, backText, run }: Removal): void {
  waiting.set(id, run)
  show(id, true)
  showToast({
    text,
    many: 'actions.notKeptMany',
    onUndo: () => {
      waiting.delete(id)
      show(id, false)
      announce(backText)
    },
    onGone: () => void carryOut(id),
  })
}

addEventListener('pagehide', () => {
  for (const id of waiting.keys()) void carryOut(id)
})

/** The ids that are not to be shown. */
export function useRemoved(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hidden,
  )
}
