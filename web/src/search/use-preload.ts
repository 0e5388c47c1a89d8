/**
 * Preloads what a search needs. What sends it and the check of a typed name are small and come with the first key. The
 * results view is half of the page's code: it comes when a pointer or the focus first moves, when text is pasted, or else in
 * the first pause of typing, so that no key press waits for it.
 */
import { useEffect } from 'react'
import { loadPart, openPart } from '../later.ts'

const FIRST_EVENTS = ['pointermove', 'pointerdown', 'focusin', 'paste'] as const
// Longer than between two keys of a word.
const PAUSE_MS = 250

export const beginning = openPart(() => import('./begin.ts'))
export const searched = openPart(async () => {
  // A browser has few connections: the request is sent before the many files of its results are fetched.
  await beginning.load()
  return loadPart(() => import('./searched.tsx'))
})
export const typed = openPart(() => loadPart(() => import('./exact/typed.tsx')))

export function usePreload(text: string): void {
  const isEmpty = text.trim() === ''
  useEffect(() => {
    // What cannot be fetched now is fetched when it is needed.
    if (!isEmpty) Promise.all([beginning.load(), typed.load()]).catch(() => undefined)
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
