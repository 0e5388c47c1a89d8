/** A link to set a new password. It says the same whether somebody has that address or not. */
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { askAuth } from '../api/auth.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { TextField } from '../ui/field.tsx'
import { Notice } from '../ui/layout.tsx'
import { fieldsOf, focusWrong, isAddress } from './form.ts'

export function ForgotForm() {
  const { t } = useText()
  const form = useRef<HTMLFormElement>(null)
  const [isWrong, setWrong] = useState(false)
  const ask = useMutation({ mutationFn: (email: string) => askAuth('/request-password-reset', { email }) })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = fieldsOf(event)('email').trim()
    setWrong(!isAddress(email))
    if (isAddress(email)) ask.mutate(email)
    else focusWrong(form.current)
  }
  if (ask.isSuccess)
    return (
      <Notice tone="done" alert title={t('welcome.checkMail')}>
        {t('welcome.resetSent')}
      </Notice>
    )
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
      <TextField
        label={t('welcome.email')}
        name="email"
        type="email"
        autoFocus
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        wrong={isWrong ? t('welcome.emailNeeded') : undefined}
      />
      {ask.error && <Fault error={ask.error} />}
      <Button kind="main" type="submit" busy={ask.isPending}>
        {t('welcome.sendLink')}
      </Button>
    </form>
  )
}
