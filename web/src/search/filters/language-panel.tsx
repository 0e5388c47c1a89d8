import { useText } from '../../i18n/i18n.ts'
import { LANGUAGES } from '../../i18n/languages.ts'
import { SelectField } from '../../ui/field.tsx'
import type { Asked } from '../asked.ts'
import type { Edit } from './filter-popover.tsx'

export function LanguagePanel({ draft, edit }: { readonly draft: Asked; readonly edit: Edit }) {
  const { t } = useText()
  return (
    <SelectField
      label={t('search.languageLabel')}
      hint={t('search.languageHint')}
      value={draft.language ?? ''}
      onChange={({ target }) => edit({ language: target.value || undefined })}
    >
      <option value="">{t('search.languageAuto')}</option>
      {LANGUAGES.map(({ code, name }) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
