/** After the password, with two-factor authentication on. One field takes a code of the app or a recovery code. */
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { FormEvent } from 'react'
import { isRefusedFor, proveSecondFactor } from '../api/auth.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Fault, faultText } from '../ui/fault.tsx'
import { TextField } from '../ui/field.tsx'
import { fieldsOf, focusWrong } from './form.ts'

export function SecondFactorForm({
  onDone,
  onBack,
}: {
  readonly onDone: () => void
  /** To the password again: it was given too long ago, or by mistake. */
  readonly onBack: () => void
}) {
  const { t } = useText()
  const form = useRef<HTMLFormElement>(null)
  const prove = useMutation({
    mutationFn: proveSecondFactor,
    onSuccess: onDone,
    onError: () => focusWrong(form.current),
  })
  const isWrong = isRefusedFor(prove.error, 'INVALID_CODE', 'INVALID_BACKUP_CODE')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = fieldsOf(event)('code')
    if (code.trim() !== '') prove.mutate(code)
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
      <TextField
        label={t('welcome.code')}
        hint={t('welcome.codeHint')}
        name="code"
        autoFocus
        required
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        maxLength={32}
        wrong={isWrong ? faultText(prove.error) : undefined}
      />
      {prove.error && !isWrong && <Fault error={prove.error} />}
      <Button kind="main" type="submit" busy={prove.isPending}>
        {t('welcome.continue')}
      </Button>
      <Button kind="quiet" onClick={onBack}>
        {t('welcome.startOver')}
      </Button>
    </form>
  )
}
