/** /verify-email: where the letter's link leads once the address was looked at; without a link, the way to a new letter. */
import { useMutation } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { sendVerification } from '../api/auth.ts'
import { useText } from '../i18n/i18n.ts'
import { Button, buttonLook } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { TextField } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Card, Notice } from '../ui/layout.tsx'
import { fieldsOf, focusWrong, isAddress } from './form.ts'

export default function VerifyEmailPage() {
  const { t } = useText()
  const asked = new URLSearchParams(useLocation().searchStr)
  const failed = asked.has('error')
  const done = asked.has('done') && !failed
  return (
    <div className="mx-auto grid w-full max-w-md gap-6 pt-4 sm:pt-10">
      <div className="grid justify-items-center gap-3 text-center">
        <Icon name={done ? 'check' : 'info'} size={36} className={done ? 'text-free' : 'text-faint'} />
        <h1 className="text-3xl font-semibold">
          {t(done ? 'verify.done' : failed ? 'verify.failed' : 'verify.checkMail')}
        </h1>
        <p className="text-faint">{t(done ? 'verify.doneText' : failed ? 'verify.failedText' : 'verify.checkText')}</p>
      </div>
      {done ? (
        <a href="/welcome?to=/" className={buttonLook('main')}>
          {t('welcome.signIn')}
        </a>
      ) : (
        <>
          <Card className="sm:p-8">
            <AnotherLetter />
          </Card>
          <Link to="/welcome" className={buttonLook('quiet')}>
            {t('welcome.signIn')}
          </Link>
        </>
      )}
    </div>
  )
}

function AnotherLetter() {
  const { t } = useText()
  const form = useRef<HTMLFormElement>(null)
  const [isWrong, setWrong] = useState(false)
  const ask = useMutation({ mutationFn: sendVerification })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = fieldsOf(event)('email').trim()
    setWrong(!isAddress(email))
    if (isAddress(email)) ask.mutate(email)
    else focusWrong(form.current)
  }
  if (ask.isSuccess)
    return (
      <Notice tone="done" alert>
        {t('verify.sent')}
      </Notice>
    )
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
      <TextField
        label={t('welcome.email')}
        name="email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        wrong={isWrong ? t('welcome.emailNeeded') : undefined}
      />
      {ask.error && <Fault error={ask.error} />}
      <Button kind="main" type="submit" busy={ask.isPending}>
        {t('welcome.sendAgain')}
      </Button>
    </form>
  )
}
