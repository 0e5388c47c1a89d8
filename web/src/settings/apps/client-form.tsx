/** An application of one's own: name, type, redirect URIs and client permissions. */
import { useRef, useState } from 'react'
import { type OwnClient, SCOPES, type Scope } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Fault, fieldFault } from '../../ui/fault.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Fold } from '../programs/fold.tsx'
import { isFieldFault, useFirstWrong } from '../programs/first-wrong.ts'
import { linesFault, linesOf } from '../programs/lines.ts'
import { ScopePicker } from '../programs/scope-picker.tsx'

export interface ClientWish {
  readonly name: string
  readonly kind: OwnClient['kind']
  readonly redirect_uris: readonly string[]
  readonly own_scopes: readonly Scope[]
}

export function ClientForm({
  first,
  error,
  busy,
  submit,
  onSubmit,
  onClose,
}: {
  /** Undefined for a new one. */
  readonly first: OwnClient | undefined
  readonly error: unknown
  readonly busy: boolean
  readonly submit: string
  readonly onSubmit: (wish: ClientWish) => void
  readonly onClose: () => void
}) {
  const { t } = useText()
  const [name, setName] = useState(first?.name ?? '')
  const [kind, setKind] = useState<OwnClient['kind']>(first?.kind ?? 'confidential')
  const [redirects, setRedirects] = useState(first?.redirect_uris.join('\n') ?? '')
  const [scopes, setScopes] = useState<readonly Scope[]>(first?.own_scopes ?? [])
  const form = useRef<HTMLFormElement>(null)
  useFirstWrong(form, error)
  const isConfidential = kind === 'confidential'
  const scopesWrong = linesFault(error, '/own_scopes', '')
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        const own_scopes = isConfidential ? scopes : []
        onSubmit({ name: name.trim(), kind, redirect_uris: linesOf(redirects), own_scopes })
      }}
    >
      {error !== null && !isFieldFault(error) && <Fault error={error} />}
      <TextField
        label={t('apps.name')}
        hint={t('apps.nameHint')}
        wrong={fieldFault(error, '/name') && t('settings.nameIt')}
        value={name}
        maxLength={100}
        autoComplete="off"
        onChange={({ target }) => setName(target.value)}
      />
      {first === undefined && (
        <Choice
          label={t('apps.kind')}
          value={kind}
          options={[
            { value: 'confidential', label: t('apps.kindConfidential'), hint: t('apps.kindConfidentialHint') },
            { value: 'public', label: t('apps.kindPublic'), hint: t('apps.kindPublicHint') },
          ]}
          onChange={setKind}
        />
      )}
      <TextArea
        label={t('apps.redirects')}
        hint={t('apps.redirectsHint')}
        wrong={linesFault(error, '/redirect_uris', redirects, t('apps.redirectsMissing'))}
        value={redirects}
        dir="ltr"
        spellCheck={false}
        placeholder="https://app.example/callback"
        onChange={({ target }) => setRedirects(target.value)}
      />
      {isConfidential && (
        <Fold title={t('apps.ownScopes')} summary={t('apps.ownScopesHint')} isWrong={scopesWrong !== undefined}>
          <ScopePicker
            label={t('apps.ownScopesPick')}
            hint={t('apps.ownScopesPickHint')}
            among={SCOPES}
            chosen={scopes}
            wrong={scopesWrong}
            onChange={setScopes}
          />
        </Fold>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('shell.cancel')}</Button>
        <Button kind="main" type="submit" busy={busy}>
          {submit}
        </Button>
      </DialogActions>
    </form>
  )
}
