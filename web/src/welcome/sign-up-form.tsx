/** Somebody new. The answer is the same for an address that is known, so nobody can find out whose is. */
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { isRefusedFor, signUp } from '../api/auth.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { TextField } from '../ui/field.tsx'
import { fieldsOf, focusWrong, isAddress } from './form.ts'
import { PASSWORD_MIN, PasswordField } from './password-field.tsx'

interface Wrong {
  readonly name?: string
  readonly email?: string
  readonly password?: string
}

export function SignUpForm({
  to,
  onSent,
}: {
  /** Where to go on after the confirmation. */
  readonly to: string | undefined
  readonly onSent: (email: string) => void
}) {
  const { t, language } = useText()
  const form = useRef<HTMLFormElement>(null)
  const [wrong, setWrong] = useState<Wrong>({})
  const ask = useMutation({
    mutationFn: (person: Parameters<typeof signUp>[0]) => signUp(person, to),
    onSuccess: (_said, { email }) => onSent(email),
    onError: (error) => {
      if (isRefusedFor(error, 'WEAK_PASSWORD', 'PASSWORD_TOO_SHORT', 'PASSWORD_TOO_LONG'))
        setWrong({ password: error.message })
      else if (isRefusedFor(error, 'INVALID_EMAIL', 'VALIDATION_ERROR')) setWrong({ email: error.message })
      focusWrong(form.current)
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event)
    const given = { name: field('name').trim(), email: field('email').trim(), password: field('password') }
    const missing = {
      ...(given.name === '' ? { name: t('welcome.nameNeeded') } : {}),
      ...(isAddress(given.email) ? {} : { email: t('welcome.emailNeeded') }),
      ...(given.password.length < PASSWORD_MIN
        ? { password: t('welcome.passwordShort', { length: given.password.length }) }
        : {}),
    }
    setWrong(missing)
    if (Object.keys(missing).length === 0) ask.mutate({ ...given, language })
    else focusWrong(form.current)
  }
  const isShownInField = Object.keys(wrong).length > 0
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
      <TextField label={t('welcome.name')} name="name" autoComplete="name" maxLength={100} wrong={wrong.name} />
      <TextField
        label={t('welcome.email')}
        hint={t('welcome.emailHint')}
        name="email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        wrong={wrong.email}
      />
      <PasswordField
        label={t('welcome.password')}
        hint={t('welcome.passwordRule')}
        name="password"
        autoComplete="new-password"
        wrong={wrong.password}
      />
      {ask.error && !isShownInField && <Fault error={ask.error} />}
      <Button kind="main" type="submit" busy={ask.isPending}>
        {t('welcome.signUp')}
      </Button>
    </form>
  )
}
