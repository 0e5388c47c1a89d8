/** A link that signs in, in place of the password. It says the same whether somebody has that address or not. */
import { requestSignInLink } from '../api/auth.ts'
import { useText } from '../i18n/i18n.ts'
import { Notice } from '../ui/layout.tsx'
import { AddressForm } from './address-form.tsx'

export function LinkForm({ to }: { /** The page to go to after signing in. */ readonly to: string | undefined }) {
  const { t } = useText()
  const sent = (
    <Notice tone="done" alert title={t('welcome.checkMail')}>
      {t('welcome.linkSent')}
    </Notice>
  )
  return (
    <AddressForm send={(email) => requestSignInLink(email, to)} act={t('welcome.sendLink')} sent={sent} autoFocus />
  )
}
