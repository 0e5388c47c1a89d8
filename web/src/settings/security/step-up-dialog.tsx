/**
 * "Confirm your identity": asks for a password, a passkey or a code when a request needs one (`api/step-up.ts`). Whoever has
 * only a provider signs in there again.
 */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { askOnce } from '../../api/settings.ts'
import { useSession } from '../../api/session.ts'
import { isStepUpRequired, stepUpQuestion } from '../../api/step-up.ts'
import { useText } from '../../i18n/i18n.ts'
import { Rich } from '../../i18n/rich.tsx'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextField } from '../../ui/field.tsx'
import { Ltr, Skeleton } from '../../ui/layout.tsx'
import { fieldsOf, focusWrong } from '../../welcome/form.ts'
import { canUsePasskeys, isCalledOff, passkeyProof } from '../../welcome/passkey.ts'
import { PasswordField } from '../../welcome/password-field.tsx'
import { Providers } from '../../welcome/providers.tsx'
import { TextButton } from '../../welcome/text-button.tsx'

const STEP_UP = '/settings/me/step-up'

interface Methods {
  readonly methods: readonly ('password' | 'passkey' | 'code')[]
  readonly providers: readonly string[]
}

export function StepUpDialog() {
  const { t } = useText()
  const question = useStore(stepUpQuestion)
  const email = useSession().person?.email ?? ''
  if (!question) return null
  const address = (
    <Ltr key="0" className="text-ink">
      {null}
    </Ltr>
  )
  return (
    <Dialog
      open
      onClose={question.giveUp}
      title={t('security.againTitle')}
      description={<Rich id="security.againText" values={{ email }} parts={[address]} />}
    >
      <Proof onProved={question.goOn} />
    </Dialog>
  )
}

function Proof({ onProved }: { readonly onProved: () => void }) {
  const { t } = useText()
  const [isCode, setCode] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['step-up'],
    queryFn: ({ signal }) => askOnce<Methods>(STEP_UP, { signal }),
    gcTime: 0,
  })
  if (error) return <Fault error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-32" />
  const has = (method: Methods['methods'][number]) => data.methods.includes(method)
  const kind = has('password') && !isCode ? 'password' : has('code') ? 'code' : undefined
  return (
    <div className="grid gap-5">
      {kind && <ProofForm key={kind} kind={kind} onProved={onProved} />}
      {has('passkey') && canUsePasskeys() && <ByPasskey onProved={onProved} />}
      {has('password') && has('code') && (
        <TextButton onClick={() => setCode(!isCode)}>
          {t(kind === 'code' ? 'security.usePassword' : 'security.useCode')}
        </TextButton>
      )}
      {data.methods.length === 0 && (
        <>
          <p>{t('security.againProvider')}</p>
          <Providers names={data.providers} to={location.pathname} />
        </>
      )}
    </div>
  )
}

function ProofForm({ kind, onProved }: { readonly kind: 'password' | 'code'; readonly onProved: () => void }) {
  const { t } = useText()
  const email = useSession().person?.email ?? ''
  const form = useRef<HTMLFormElement>(null)
  const prove = useMutation({
    mutationFn: (text: string) => askOnce(STEP_UP, { method: 'POST', body: { [kind]: text } }),
    onSuccess: onProved,
    onError: () => focusWrong(form.current),
  })
  const isWrong = isStepUpRequired(prove.error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = fieldsOf(event)('proof')
    if (text.trim() !== '') prove.mutate(text)
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
      <input type="hidden" name="username" autoComplete="username" value={email} />
      {kind === 'password' ? (
        <PasswordField
          label={t('welcome.password')}
          name="proof"
          autoFocus
          autoComplete="current-password"
          required
          wrong={isWrong ? t('welcome.wrongPassword') : undefined}
        />
      ) : (
        <TextField
          label={t('welcome.code')}
          hint={t('welcome.codeHint')}
          name="proof"
          autoFocus
          required
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          maxLength={32}
          wrong={isWrong ? t('welcome.wrongCode') : undefined}
        />
      )}
      {prove.error && !isWrong && <Fault error={prove.error} />}
      <Button kind="main" type="submit" busy={prove.isPending}>
        {t('security.confirm')}
      </Button>
    </form>
  )
}

function ByPasskey({ onProved }: { readonly onProved: () => void }) {
  const { t } = useText()
  const prove = useMutation({
    mutationFn: async () => {
      const passkey = await passkeyProof(new AbortController().signal, 'asked')
      await askOnce(STEP_UP, { method: 'POST', body: { passkey } })
    },
    onSuccess: onProved,
  })
  return (
    <>
      <Button icon="key" busy={prove.isPending} onClick={() => prove.mutate()}>
        {t('security.usePasskey')}
      </Button>
      {prove.error && !isCalledOff(prove.error) && <Fault error={prove.error} />}
    </>
  )
}
