/**
 * Single keys that do something, and what opens the dialogs that few people need: the list of keys, by `?`, and the command
 * palette, by Ctrl or Cmd with K. Both are fetched when they are first opened.
 *
 * Readers who speak to their computer, or press keys by accident, can switch single keys off; Escape works all the same.
 */
import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { lazyPart, loadView } from '../later.ts'
import { getPreferences } from '../preferences.ts'
import { useStore } from '../store.ts'
import { isTyping } from '../ui/is-typing.ts'
import { isPress } from './keys.ts'
import { closeShortcutDialog, openedDialog } from './opened.ts'

const ShortcutHelp = lazyPart(() => import('./shortcut-help.tsx'))
const Palette = lazy(() => loadView(() => import('../palette/palette.tsx')))

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
  const shown = useStore(openedDialog)
  useShortcut('?', () => openedDialog.change((was) => (was === 'help' ? undefined : 'help')), {
    inDialog: shown === 'help',
  })
  useLeaveFields()
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, altKey, shiftKey, code, repeat } = event
      // By its place, so that it is the same key on a keyboard of any script.
      if (ctrlKey === metaKey || altKey || shiftKey || code !== 'KeyK' || repeat) return
      // The browser would go to its own search field.
      event.preventDefault()
      if (openedDialog.get() === 'palette') closeShortcutDialog()
      else if (!document.querySelector('dialog:modal')) openedDialog.change(() => 'palette')
    }
    document.addEventListener('keydown', toggle)
    return () => document.removeEventListener('keydown', toggle)
  }, [])
  return (
    <Suspense>
      {shown === 'help' && <ShortcutHelp />}
      {shown === 'palette' && <Palette />}
    </Suspense>
  )
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
