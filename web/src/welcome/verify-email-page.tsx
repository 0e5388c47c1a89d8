/** /verify-email: asks for another confirmation email. Its link leads to a page of the server, `/confirm-email`. */
import { Link } from '@tanstack/react-router'
import { sendVerification } from '../api/auth.ts'
import { useText } from '../i18n/i18n.ts'
import { buttonClass } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Card, Notice } from '../ui/layout.tsx'
import { AddressForm } from './address-form.tsx'

export default function VerifyEmailPage() {
  const { t } = useText()
  const sent = (
    <Notice tone="done" alert>
      {t('verify.sent')}
    </Notice>
  )
  return (
    <div className="mx-auto grid w-full max-w-md gap-6 pt-4 sm:pt-10">
      <div className="grid justify-items-center gap-3 text-center">
        <Icon name="info" size={36} className="text-faint" />
        <h1 className="text-3xl font-semibold">{t('verify.checkMail')}</h1>
        <p className="text-faint">{t('verify.checkText')}</p>
      </div>
      <Card className="sm:p-8">
        <AddressForm send={sendVerification} act={t('welcome.sendAgain')} sent={sent} />
      </Card>
      <Link to="/welcome" className={buttonClass('quiet')}>
        {t('welcome.signIn')}
      </Link>
    </div>
  )
}
