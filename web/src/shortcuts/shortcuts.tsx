/**
 * Single keys that do something, and the list of them, by `?`, which is fetched when it is first opened.
 *
 * Readers who speak to their computer, or press keys by accident, can switch single keys off; Escape works all the same.
 */
import { Suspense, useEffect, useEffectEvent } from 'react'
import { lazyPart } from '../later.ts'
import { getPreferences } from '../preferences.ts'
import { useStore } from '../store.ts'
import { isTyping } from '../ui/is-typing.ts'
import { isPress } from './keys.ts'
import { helpOpened } from './opened.ts'

const ShortcutHelp = lazyPart(() => import('./shortcut-help.tsx'))

/** Runs when the key is pressed outside of a field, unless the reader has switched single keys off. */
export function useShortcut(
  key: string,
  run: () => void,
  {
    inDialog = false,
  }: { /** Also while a dialog is open, because it is that dialog's. */ readonly inDialog?: boolean } = {},
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!getPreferences().shortcuts || event.defaultPrevented || !isPress(key, event) || isTyping(event.target)) return
    if (!inDialog && document.querySelector('dialog:modal')) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

export function ShortcutDialogs() {
  const isShown = useStore(helpOpened)
  useShortcut('?', () => helpOpened.change((was) => !was), { inDialog: isShown })
  useLeaveFields()
  return <Suspense>{isShown && <ShortcutHelp />}</Suspense>
}

/** Escape leaves a field of the page for the page itself, where single-key shortcuts work. */
function useLeaveFields(): void {
  useEffect(() => {
    const leave = ({ key, target, defaultPrevented, isComposing }: KeyboardEvent) => {
      if (key !== 'Escape' || defaultPrevented || isComposing || !(target instanceof HTMLElement)) return
      // In a dialog or a popover Escape closes that.
      if (!target.matches('main :is(input, textarea)') || target.closest('dialog, [popover]')) return
      document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true })
    }
    document.addEventListener('keydown', leave)
    return () => document.removeEventListener('keydown', leave)
  }, [])
}
