/**
 * Preloads what a search needs. The check of a typed name is small and comes with the first key. The results view is half of
 * the page's code: it comes when a pointer or the focus first moves, when text is pasted, or else in the first pause of
 * typing, so that no key press waits for it.
 */
import { useEffect } from 'react'
import { openPart } from '../later.ts'

const FIRST_EVENTS = ['pointermove', 'pointerdown', 'focusin', 'paste'] as const
// Longer than between two keys of a word.
const PAUSE_MS = 250

export const searched = openPart(() => import('./searched.tsx'))
export const typed = openPart(() => import('./exact/typed.tsx'))

export function usePreload(text: string): void {
  const isEmpty = text.trim() === ''
  useEffect(() => {
    // What cannot be fetched now is fetched when it is needed.
    if (!isEmpty) typed.load().catch(() => undefined)
  }, [isEmpty])
  useEffect(() => {
    if (searched.store.get()) return
    const start = () => void searched.load().catch(() => undefined)
    const pause = text === '' ? undefined : setTimeout(start, PAUSE_MS)
    for (const event of FIRST_EVENTS) addEventListener(event, start, { once: true })
    return () => {
      clearTimeout(pause)
      for (const event of FIRST_EVENTS) removeEventListener(event, start)
    }
  }, [text])
}
