/** The permissions of a key: a preset, or a custom selection. */
import { SCOPES } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { Choice } from '../../ui/choice.tsx'
import { ScopePicker } from '../programs/scope-picker.tsx'
import { scopesFor } from '../programs/scopes.ts'
import type { KeyDraft } from './key-draft.ts'

export function PurposeField({
  draft: { purpose, scopes },
  wrong,
  onChange,
}: {
  readonly draft: KeyDraft
  readonly wrong: string | undefined
  readonly onChange: (change: Partial<KeyDraft>) => void
}) {
  const { t } = useText()
  return (
    <>
      <Choice
        label={t('keys.purpose')}
        value={purpose}
        options={[
          { value: 'all', label: t('keys.purposeAll'), hint: t('keys.purposeAllHint') },
          { value: 'read', label: t('keys.purposeRead'), hint: t('keys.purposeReadHint') },
          { value: 'names', label: t('keys.purposeNames'), hint: t('keys.purposeNamesHint') },
          { value: 'custom', label: t('keys.purposeCustom'), hint: t('keys.purposeCustomHint') },
        ]}
        // Picking begins with what was chosen before.
        onChange={(next) => onChange({ purpose: next, scopes: scopesFor(purpose, scopes) })}
      />
      {purpose === 'custom' && (
        <ScopePicker
          label={t('keys.permissions')}
          among={SCOPES}
          chosen={scopes}
          wrong={wrong}
          onChange={(next) => onChange({ scopes: next })}
        />
      )}
    </>
  )
}
