/** The language of the person: for the app, emails and messages. It changes the page at once. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeMe } from '../../api/members.ts'
import { sessionQuery, useSession } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { LANGUAGES } from '../../i18n/languages.ts'
import { getPreferences, setPreferences } from '../../preferences.ts'
import { Fault } from '../../ui/fault.tsx'
import { SelectField } from '../../ui/field.tsx'

export function LanguageField() {
  const { t } = useText()
  const queries = useQueryClient()
  const language = useSession().person?.language ?? ''
  const show = (code: string) => {
    queries.setQueryData(sessionQuery.queryKey, (known) =>
      known?.person ? { ...known, person: { ...known.person, language: code === '' ? null : code } } : known,
    )
    setPreferences({ language: code })
  }
  const change = useMutation({
    // One after the other: with arrow keys, the last choice counts.
    scope: { id: 'language' },
    mutationFn: (code: string) => changeMe({ language: code === '' ? null : code }),
    onMutate: (code) => {
      const before = { language, shown: getPreferences().language }
      show(code)
      return before
    },
    onError: (_error, _code, before) => {
      if (!before) return
      show(before.language)
      setPreferences({ language: before.shown })
    },
  })
  return (
    <div className="grid max-w-md gap-3">
      <SelectField
        label={t('profile.language')}
        hint={t('profile.languageText')}
        value={language}
        onChange={({ target }) => change.mutate(target.value)}
      >
        <option value="">{t('profile.asBrowser')}</option>
        {LANGUAGES.map(({ code, name }) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </SelectField>
      {change.error && <Fault error={change.error} />}
    </div>
  )
}
