/** What concerns the second step wants the password once more, in a dialog of its own. */
import { useRef } from 'react'
import type { FormEvent } from 'react'
import { isRefusedFor } from '../../api/auth.ts'
import { useSession } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Fault, faultText } from '../../ui/fault.tsx'
import { fieldsOf, focusWrong } from '../../welcome/form.ts'
import { PasswordField } from '../../welcome/password-field.tsx'

export function PasswordStep({
  act,
  danger = false,
  busy,
  error,
  onPassword,
  onClose,
}: {
  /** The verb on the button. */
  readonly act: string
  readonly danger?: boolean
  readonly busy: boolean
  readonly error: unknown
  readonly onPassword: (password: string) => void
  readonly onClose: () => void
}) {
  const { t } = useText()
  const email = useSession().person?.email ?? ''
  const form = useRef<HTMLFormElement>(null)
  const isWrong = isRefusedFor(error, 'INVALID_PASSWORD')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = fieldsOf(event)('password')
    if (password === '') focusWrong(form.current)
    else onPassword(password)
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <PasswordField
        label={t('welcome.password')}
        name="password"
        autoComplete="current-password"
        required
        wrong={isWrong ? faultText(error) : undefined}
      />
      {error != null && !isWrong && <Fault error={error} />}
      <DialogActions>
        <Button onClick={onClose}>{t('shell.cancel')}</Button>
        <Button kind={danger ? 'danger' : 'main'} type="submit" busy={busy}>
          {act}
        </Button>
      </DialogActions>
    </form>
  )
}
