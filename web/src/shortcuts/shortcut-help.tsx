/** The dialog that lists all keys, and switches single keys off. */
import { useText } from '../i18n/i18n.ts'
import { setPreferences, usePreferences } from '../preferences.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Switch } from '../ui/switch.tsx'
import { KEYS } from './key-list.ts'
import { closeShortcutHelp } from './opened.ts'

export default function ShortcutHelp() {
  const { t } = useText()
  const { shortcuts } = usePreferences()
  return (
    <Dialog open onClose={closeShortcutHelp} title={t('shortcuts.title')}>
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
