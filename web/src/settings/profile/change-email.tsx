/** Another email address: a link goes to it, and nothing changes before that link is opened. */
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { requestEmail } from '../../api/members.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Fault, fieldFault } from '../../ui/fault.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/layout.tsx'
import { fieldsOf, focusWrong, isAddress } from '../../welcome/form.ts'

export function ChangeEmail({ email }: { readonly email: string }) {
  const { t } = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{t('profile.changeEmail')}</Button>
      {isOpen && <ChangeEmailDialog email={email} onClose={() => setOpen(false)} />}
    </div>
  )
}

function ChangeEmailDialog({ email, onClose }: { readonly email: string; readonly onClose: () => void }) {
  const { t } = useText()
  const form = useRef<HTMLFormElement>(null)
  const [isWrong, setWrong] = useState(false)
  const ask = useMutation({ mutationFn: requestEmail, onError: () => focusWrong(form.current) })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const wished = fieldsOf(event)('email').trim()
    const isUsable = isAddress(wished) && wished.toLowerCase() !== email
    setWrong(!isUsable)
    if (isUsable) ask.mutate(wished)
    else focusWrong(form.current)
  }
  const refused = fieldFault(ask.error, '/email')
  return (
    <Dialog open onClose={onClose} title={t('profile.changeEmail')}>
      {ask.isSuccess ? (
        <>
          <Notice tone="done" alert title={t('profile.emailRequested')}>
            {t('profile.emailRequestedText', { email: ask.variables })}
          </Notice>
          <DialogActions>
            <Button kind="main" onClick={onClose}>
              {t('shell.close')}
            </Button>
          </DialogActions>
        </>
      ) : (
        <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
          <TextField
            label={t('profile.newEmail')}
            hint={t('profile.newEmailHint')}
            name="email"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            wrong={isWrong ? t('welcome.emailNeeded') : refused}
          />
          {ask.error && refused === undefined && <Fault error={ask.error} />}
          <DialogActions>
            <Button onClick={onClose}>{t('shell.cancel')}</Button>
            <Button kind="main" type="submit" busy={ask.isPending}>
              {t('welcome.sendLink')}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
