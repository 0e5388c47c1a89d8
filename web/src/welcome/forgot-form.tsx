/** A link to set a new password. It says the same whether somebody has that address or not. */
import { askAuth } from '../api/auth.ts'
import { useText } from '../i18n/i18n.ts'
import { Notice } from '../ui/layout.tsx'
import { AddressForm } from './address-form.tsx'

export function ForgotForm() {
  const { t } = useText()
  const sent = (
    <Notice tone="done" alert title={t('welcome.checkMail')}>
      {t('welcome.resetSent')}
    </Notice>
  )
  const send = (email: string) => askAuth('/request-password-reset', { email })
  return <AddressForm send={send} act={t('welcome.sendLink')} sent={sent} autoFocus />
}
