/**
 * Address and password. Passkeys are offered where the browser fills in the address, and by a button of their own. Nobody
 * learns from it whether somebody has an account.
 */
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { isRefusedFor, signInByPassword } from '../api/auth.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { TextField } from '../ui/field.tsx'
import { fieldsOf, focusWrong, isAddress } from './form.ts'
import { PasskeyWay } from './passkey-way.tsx'
import { PasswordField } from './password-field.tsx'

export function SignInForm({
  email,
  children,
  onDone,
  onCode,
  onUnverified,
}: {
  /** Where it is known who signs in. */
  readonly email?: string
  /** Below the password: what to do without it. */
  readonly children?: ReactNode
  readonly onDone: () => void
  /** A second factor is wanted. */
  readonly onCode: () => void
  readonly onUnverified?: (email: string) => void
}) {
  const { t } = useText()
  const form = useRef<HTMLFormElement>(null)
  const [wrong, setWrong] = useState<{ email?: string; password?: string }>({})
  const ask = useMutation({
    mutationFn: (given: { email: string; password: string }) => signInByPassword(given.email, given.password),
    onSuccess: ({ twoFactorRedirect }) => (twoFactorRedirect === true ? onCode() : onDone()),
    onError: (error, given) => {
      if (isRefusedFor(error, 'EMAIL_NOT_VERIFIED')) onUnverified?.(given.email)
      else if (isRefusedFor(error, 'INVALID_EMAIL_OR_PASSWORD')) setWrong({ password: error.message })
      focusWrong(form.current)
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event)
    const given = { email: email ?? field('email').trim(), password: field('password') }
    const missing = {
      ...(isAddress(given.email) ? {} : { email: t('welcome.emailNeeded') }),
      ...(given.password === '' ? { password: t('welcome.passwordNeeded') } : {}),
    }
    setWrong(missing)
    if (Object.keys(missing).length === 0) ask.mutate(given)
    else focusWrong(form.current)
  }
  const isShownInForm = isRefusedFor(ask.error, 'INVALID_EMAIL_OR_PASSWORD', 'EMAIL_NOT_VERIFIED')
  return (
    <div className="grid gap-5">
      <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
        {email === undefined ? (
          <TextField
            label={t('welcome.email')}
            name="email"
            type="email"
            autoComplete="username webauthn"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            wrong={wrong.email}
          />
        ) : (
          <input type="hidden" name="username" autoComplete="username" value={email} />
        )}
        <PasswordField
          label={t('welcome.password')}
          name="password"
          autoComplete="current-password"
          wrong={wrong.password}
        />
        {ask.error && !isShownInForm && <Fault error={ask.error} />}
        <Button kind="main" type="submit" busy={ask.isPending}>
          {t('welcome.signIn')}
        </Button>
        {children}
      </form>
      <PasskeyWay onDone={onDone} />
    </div>
  )
}
