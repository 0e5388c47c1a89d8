/**
 * Preloads the results view, which is half of the page's code: when a pointer or the focus first moves, or else in the
 * first pause of typing, so that no key press waits for it.
 */
import { useEffect, useState } from 'react'
import { loadPart } from '../later.ts'

const FIRST_EVENTS = ['pointermove', 'pointerdown', 'focusin'] as const
// Longer than between two keys of a word.
const PAUSE_MS = 250

export const loadSearched = () => import('./searched.tsx')

/** Whether the preload has started. */
export function usePreload(text: string): boolean {
  const [isStarted, setStarted] = useState(false)
  useEffect(() => {
    if (isStarted) return
    const start = () => {
      setStarted(true)
      void loadPart(loadSearched)
    }
    const pause = text === '' ? undefined : setTimeout(start, PAUSE_MS)
    for (const event of FIRST_EVENTS) addEventListener(event, start, { once: true })
    return () => {
      clearTimeout(pause)
      for (const event of FIRST_EVENTS) removeEventListener(event, start)
    }
  }, [isStarted, text])
  return isStarted
}
