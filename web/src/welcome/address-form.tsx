/** Asks for an email address, and confirms that the email was sent. */
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { TextField } from '../ui/field.tsx'
import { fieldsOf, focusWrong, isAddress } from './form.ts'

export function AddressForm({
  send,
  act,
  sent,
  autoFocus = false,
}: {
  readonly send: (email: string) => Promise<unknown>
  /** On the button. */
  readonly act: string
  /** In place of the form, once it was sent. */
  readonly sent: ReactNode
  readonly autoFocus?: boolean
}) {
  const { t } = useText()
  const form = useRef<HTMLFormElement>(null)
  const [isWrong, setWrong] = useState(false)
  const ask = useMutation({ mutationFn: send })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = fieldsOf(event)('email').trim()
    setWrong(!isAddress(email))
    if (isAddress(email)) ask.mutate(email)
    else focusWrong(form.current)
  }
  if (ask.isSuccess) return sent
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
      <TextField
        label={t('welcome.email')}
        name="email"
        type="email"
        autoFocus={autoFocus}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        wrong={isWrong ? t('welcome.emailNeeded') : undefined}
      />
      {ask.error && <Fault error={ask.error} />}
      <Button kind="main" type="submit" busy={ask.isPending}>
        {act}
      </Button>
    </form>
  )
}
