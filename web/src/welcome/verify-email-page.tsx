/** /verify-email: where the letter's link leads once the address was looked at; without a link, the way to a new letter. */
import { Link, useLocation } from '@tanstack/react-router'
import { sendVerification } from '../api/auth.ts'
import { useText } from '../i18n/i18n.ts'
import { buttonLook } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Card, Notice } from '../ui/layout.tsx'
import { AddressForm } from './address-form.tsx'

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
  const sent = (
    <Notice tone="done" alert>
      {t('verify.sent')}
    </Notice>
  )
  return <AddressForm send={sendVerification} act={t('welcome.sendAgain')} sent={sent} />
}
