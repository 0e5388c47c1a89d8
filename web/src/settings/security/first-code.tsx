/** The secret for the app, as a picture to scan and as letters to type, and the first code that proves it has arrived. */
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { FormEvent } from 'react'
import { askAuth, isRefusedFor } from '../../api/auth.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Fault, faultText } from '../../ui/fault.tsx'
import { TextField } from '../../ui/field.tsx'
import { Ltr } from '../../ui/layout.tsx'
import { fieldsOf, focusWrong } from '../../welcome/form.ts'
import { QrCode } from './qr-code.tsx'

export function FirstCode({
  uri,
  onProved,
  onClose,
}: {
  readonly uri: string
  readonly onProved: () => void
  readonly onClose: () => void
}) {
  const { t } = useText()
  const form = useRef<HTMLFormElement>(null)
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  const prove = useMutation({
    mutationFn: (code: string) => askAuth('/two-factor/verify-totp', { code: code.replaceAll(/\s/g, '') }),
    onSuccess: onProved,
    onError: () => focusWrong(form.current),
  })
  const isWrong = isRefusedFor(prove.error, 'INVALID_CODE')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = fieldsOf(event)('code')
    if (code.trim() !== '') prove.mutate(code)
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
      <QrCode text={uri} label={t('security.qrCode')} />
      <div className="grid gap-2">
        <p className="text-sm text-faint">{t('security.typeSecret')}</p>
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-sunken p-3">
          <Ltr className="min-w-0 flex-1 font-mono text-[0.95rem]">{inFours(secret)}</Ltr>
          <CopyButton text={secret} />
        </div>
        <a href={uri} className="inline-flex min-h-9 items-center text-accent underline underline-offset-4">
          {t('security.openApp')}
        </a>
      </div>
      <TextField
        label={t('security.firstCode')}
        hint={t('security.firstCodeHint')}
        name="code"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        dir="ltr"
        maxLength={12}
        wrong={isWrong ? faultText(prove.error) : undefined}
      />
      {prove.error && !isWrong && <Fault error={prove.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t('shell.cancel')}</Button>
        <Button kind="main" type="submit" busy={prove.isPending}>
          {t('welcome.continue')}
        </Button>
      </DialogActions>
    </form>
  )
}

function inFours(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret
}
