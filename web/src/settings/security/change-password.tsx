/** A new password. It signs out every other device, because somebody else may have used the old one. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { askAuth, isRefusedFor } from '../../api/auth.ts'
import { useSession } from '../../api/session.ts'
import { sessionsQuery } from '../../api/sessions.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Section } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'
import { fieldsOf, focusWrong } from '../../welcome/form.ts'
import { PASSWORD_MIN, PasswordField } from '../../welcome/password-field.tsx'

interface Wrong {
  readonly current?: string
  readonly next?: string
}

export function ChangePassword() {
  const { t } = useText()
  const queries = useQueryClient()
  const email = useSession().person?.email ?? ''
  const form = useRef<HTMLFormElement>(null)
  const [wrong, setWrong] = useState<Wrong>({})
  const change = useMutation({
    mutationFn: (given: { currentPassword: string; newPassword: string }) =>
      askAuth('/change-password', { ...given, revokeOtherSessions: true }),
    onSuccess: async () => {
      form.current?.reset()
      showToast({ text: t('security.passwordChanged') })
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
    onError: (error) => {
      if (isRefusedFor(error, 'INVALID_PASSWORD')) setWrong({ current: error.message })
      else if (isRefusedFor(error, 'WEAK_PASSWORD', 'PASSWORD_TOO_SHORT', 'PASSWORD_TOO_LONG'))
        setWrong({ next: error.message })
      focusWrong(form.current)
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event)
    const given = { currentPassword: field('current'), newPassword: field('next') }
    const missing = {
      ...(given.currentPassword === '' ? { current: t('welcome.passwordNeeded') } : {}),
      ...(given.newPassword.length < PASSWORD_MIN
        ? { next: t('welcome.passwordShort', { length: given.newPassword.length }) }
        : {}),
    }
    setWrong(missing)
    if (Object.keys(missing).length === 0) change.mutate(given)
    else focusWrong(form.current)
  }
  return (
    <Section title={t('security.password')} description={t('security.passwordText')}>
      <form ref={form} noValidate onSubmit={submit} className="grid max-w-md gap-5">
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <PasswordField
          label={t('security.currentPassword')}
          name="current"
          autoComplete="current-password"
          wrong={wrong.current}
        />
        <PasswordField
          label={t('security.newPassword')}
          hint={t('welcome.passwordRule')}
          name="next"
          autoComplete="new-password"
          wrong={wrong.next}
        />
        {change.error && Object.keys(wrong).length === 0 && <Fault error={change.error} />}
        <div>
          <Button type="submit" busy={change.isPending}>
            {t('security.changePassword')}
          </Button>
        </div>
      </form>
    </Section>
  )
}
