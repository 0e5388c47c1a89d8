/**
 * Single keys that do something, and the dialog that lists them. Readers who speak to their computer, or press keys by
 * accident, can switch them off; Escape works all the same.
 */
import { useEffect, useEffectEvent } from 'react'
import { useText } from '../i18n/i18n.ts'
import { getPreferences, setPreferences, usePreferences } from '../preferences.ts'
import { createStore, useStore } from '../store.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Switch } from '../ui/switch.tsx'
import { isTyping } from '../ui/is-typing.ts'
import { isPress, KEYS } from './keys.ts'

const helpIsOpen = createStore(false)

export const openShortcutHelp = (): void => helpIsOpen.change(() => true)

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

/** The dialog that lists all keys, opened by `?`. */
export function ShortcutHelp() {
  const { t } = useText()
  const { shortcuts } = usePreferences()
  const open = useStore(helpIsOpen)
  const close = () => helpIsOpen.change(() => false)
  useShortcut('?', () => helpIsOpen.change((was) => !was), { inDialog: open })
  useLeaveFields()
  return (
    <Dialog open={open} onClose={close} title={t('shortcuts.title')}>
      <dl className="grid divide-y divide-line">
        {KEYS.map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-4 py-2.5">
            <dt>{t(does)}</dt>
            <dd dir="ltr" className="flex shrink-0 gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-8 rounded-sm border border-edge bg-sunken px-2 py-0.5 text-center font-mono text-sm"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Switch
        label={t('shortcuts.on')}
        hint={t('shortcuts.onHint')}
        checked={shortcuts}
        onChange={(on) => setPreferences({ shortcuts: on })}
      />
    </Dialog>
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
