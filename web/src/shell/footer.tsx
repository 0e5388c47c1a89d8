/** The quiet end of every page: help stands at the same place everywhere. */
import { useText } from '../i18n/i18n.ts'
import { LANGUAGES } from '../i18n/languages.ts'
import { setPreferences, usePreferences } from '../preferences.ts'
import type { Preferences } from '../preferences.ts'
import { openShortcutHelp } from '../shortcuts/opened.ts'

const LINK = 'inline-flex min-h-11 items-center text-faint underline-offset-4 hover:text-ink hover:underline'
const LABEL = 'flex items-center gap-2 text-faint'
const SELECT = 'min-h-11 rounded-md border border-edge bg-card px-2 text-ink'
const THEMES = [
  ['system', 'appearance.system'],
  ['light', 'appearance.light'],
  ['dark', 'appearance.dark'],
] as const

export function Footer() {
  const { t, language } = useText()
  const { theme } = usePreferences()
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex w-full max-w-[76rem] flex-wrap items-center gap-x-6 gap-y-2 px-4 py-5 text-sm sm:px-6">
        <a href="/docs" className={LINK}>
          {t('shell.help')}
        </a>
        <a href="/docs/reference" className={LINK}>
          {t('shell.api')}
        </a>
        <a href="/docs/privacy" className={LINK}>
          {t('shell.privacy')}
        </a>
        <button type="button" aria-haspopup="dialog" onClick={openShortcutHelp} className={LINK}>
          {t('shortcuts.keyboard')}
        </button>
        <div className="ms-auto flex flex-wrap gap-x-6 gap-y-2">
          <label className={LABEL}>
            <span>{t('appearance.theme')}</span>
            <select
              value={theme}
              onChange={({ target }) => setPreferences({ theme: target.value as Preferences['theme'] })}
              className={SELECT}
            >
              {THEMES.map(([value, label]) => (
                <option key={value} value={value}>
                  {t(label)}
                </option>
              ))}
            </select>
          </label>
          <label className={LABEL}>
            <span>{t('shell.language')}</span>
            <select
              value={language}
              onChange={({ target }) => setPreferences({ language: target.value })}
              className={SELECT}
            >
              {LANGUAGES.map(({ code, name }) => (
                <option key={code} value={code} lang={code}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
    </footer>
  )
}
