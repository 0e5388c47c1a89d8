/** The form of a key, for a new one and for one that is changed. What is wrong is said at its field, and the first is focused. */
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { PUBLISHABLE_SCOPES } from '../../api/keys.ts'
import { SCOPES } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Fault, fieldFault } from '../../ui/fault.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { linesFault } from '../programs/lines.ts'
import { isFieldFault, useFirstWrong } from '../programs/first-wrong.ts'
import { ScopePicker } from '../programs/scope-picker.tsx'
import { KeyLimits } from './key-limits.tsx'
import { PurposeField } from './purpose-field.tsx'
import type { KeyDraft } from './key-draft.ts'

export function KeyForm({
  first,
  isNew,
  keepsEnd,
  error,
  busy,
  submit,
  onSubmit,
  onClose,
}: {
  readonly first: KeyDraft
  readonly isNew: boolean
  /** When it ends now, in words. */
  readonly keepsEnd?: string
  readonly error: unknown
  readonly busy: boolean
  readonly submit: ReactNode
  readonly onSubmit: (draft: KeyDraft) => void
  readonly onClose: () => void
}) {
  const { t } = useText()
  const [draft, setDraft] = useState(first)
  const form = useRef<HTMLFormElement>(null)
  useFirstWrong(form, error)
  const set = (change: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...change }))
  const isPublishable = draft.kind === 'publishable'
  // Opened once so that the reader starts where a new key starts.
  useEffect(() => {
    form.current?.querySelector('input')?.focus()
  }, [])
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(draft)
      }}
    >
      {error !== null && !isFieldFault(error) && <Fault error={error} />}
      <TextField
        label={t('keys.name')}
        hint={t('keys.nameHint')}
        wrong={fieldFault(error, '/name') && t('settings.nameIt')}
        value={draft.name}
        maxLength={100}
        autoComplete="off"
        onChange={({ target }) => set({ name: target.value })}
      />
      {isNew && (
        <Choice
          label={t('keys.kind')}
          value={draft.kind}
          options={[
            { value: 'secret', label: t('keys.kindSecret'), hint: t('keys.kindSecretHint') },
            { value: 'publishable', label: t('keys.kindPublishable'), hint: t('keys.kindPublishableHint') },
          ]}
          onChange={(kind) => set({ kind, scopes: kind === 'publishable' ? PUBLISHABLE_SCOPES : SCOPES })}
        />
      )}
      {isPublishable ? (
        <>
          <TextArea
            label={t('keys.origins')}
            hint={t('keys.originsHint')}
            wrong={linesFault(error, '/origins', draft.origins)}
            value={draft.origins}
            dir="ltr"
            spellCheck={false}
            placeholder="https://shop.example"
            onChange={({ target }) => set({ origins: target.value })}
          />
          <ScopePicker
            label={t('keys.permissions')}
            among={PUBLISHABLE_SCOPES}
            chosen={draft.scopes}
            wrong={linesFault(error, '/scopes', '', t('scopes.chooseOne'))}
            onChange={(scopes) => set({ scopes })}
          />
        </>
      ) : (
        <PurposeField draft={draft} wrong={linesFault(error, '/scopes', '', t('scopes.chooseOne'))} onChange={set} />
      )}
      <KeyLimits draft={draft} error={error} {...(keepsEnd === undefined ? {} : { keepsEnd })} onChange={set} />
      <DialogActions>
        <Button onClick={onClose}>{t('shell.cancel')}</Button>
        <Button kind="main" type="submit" busy={busy}>
          {submit}
        </Button>
      </DialogActions>
    </form>
  )
}
