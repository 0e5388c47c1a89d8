/**
 * /welcome: signing in, or making an account (`?new`). One thing at a time, each with its way back; whoever is signed in
 * goes on to `?to=`, or back to where they were.
 */
import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useRefreshSession, useSession } from '../api/session.ts'
import { useText } from '../i18n/i18n.ts'
import type { TextId } from '../i18n/i18n.ts'
import { Loading } from '../shell/loading.tsx'
import { Button } from '../ui/button.tsx'
import { Mark } from '../ui/icon.tsx'
import { Card, Notice } from '../ui/layout.tsx'
import { CheckMail } from './check-mail.tsx'
import { parseDestination } from './destination.ts'
import { ForgotForm } from './forgot-form.tsx'
import { LinkForm } from './link-form.tsx'
import { Providers, titleOf } from './providers.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { TextButton } from './text-button.tsx'

type Step = 'signIn' | 'signUp' | 'code' | 'forgot' | 'link' | 'mail'

const TITLES: Readonly<Record<Step, TextId>> = {
  signIn: 'welcome.signInTitle',
  signUp: 'welcome.signUpTitle',
  code: 'welcome.codeTitle',
  forgot: 'welcome.forgotTitle',
  link: 'welcome.linkTitle',
  mail: 'welcome.checkMail',
}
const ABOUT: Readonly<Partial<Record<Step, TextId>>> = {
  signIn: 'welcome.signInAbout',
  signUp: 'welcome.signUpAbout',
  forgot: 'welcome.forgotAbout',
  link: 'welcome.linkAbout',
}

export default function WelcomePage() {
  const { t } = useText()
  const router = useRouter()
  const refresh = useRefreshSession()
  const { searchStr } = useLocation()
  const { person, sign_up: isOpen, providers, mail } = useSession()
  const asked = new URLSearchParams(searchStr)
  const to = parseDestination(searchStr)
  const [step, setStep] = useState<Step>(asked.has('new') && isOpen ? 'signUp' : 'signIn')
  const [email, setEmail] = useState('')
  const failed = providers.find((name) => name === asked.get('failed'))

  const isHere = person !== null
  useEffect(() => {
    // On the way out this page is still there for a moment, at another address.
    if (!isHere || router.history.location.pathname !== '/welcome') return
    if (to !== undefined) router.history.replace(to)
    else if (router.history.canGoBack()) router.history.back()
    else router.history.replace('/')
  }, [isHere, to, router])
  if (isHere) return <Loading />

  const done = () => void refresh()
  const checkMail = (address: string) => {
    setEmail(address)
    setStep('mail')
  }
  const about = ABOUT[step]
  return (
    <div className="mx-auto grid w-full max-w-md gap-6 pt-4 sm:pt-10">
      <div className="grid justify-items-center gap-3 text-center">
        <Mark size={40} />
        <h1 className="text-3xl font-semibold">{t(TITLES[step])}</h1>
        {about && <p className="text-faint">{t(about)}</p>}
      </div>
      {failed !== undefined && (
        <Notice tone="wrong" alert>
          {t('welcome.providerFailed', { provider: titleOf(failed) })}
        </Notice>
      )}
      <Card className="grid gap-5 sm:p-8">
        {step === 'signIn' && (
          <>
            <SignInForm onDone={done} onCode={() => setStep('code')} onUnverified={checkMail}>
              {mail && <TextButton onClick={() => setStep('forgot')}>{t('welcome.forgot')}</TextButton>}
            </SignInForm>
            {mail && (
              <Button icon="link" onClick={() => setStep('link')}>
                {t('welcome.linkWay')}
              </Button>
            )}
            {providers.length > 0 && <Providers names={providers} to={to ?? '/'} />}
          </>
        )}
        {step === 'signUp' &&
          (mail ? <SignUpForm to={to} onSent={checkMail} /> : <Notice tone="warn">{t('welcome.noMail')}</Notice>)}
        {step === 'code' && <SecondFactorForm onDone={done} onBack={() => setStep('signIn')} />}
        {step === 'forgot' && <ForgotForm />}
        {step === 'link' && <LinkForm to={to} />}
        {step === 'mail' && <CheckMail email={email} />}
      </Card>
      <div className="flex flex-wrap items-center justify-center gap-2 text-center">
        {step === 'signIn' && isOpen && (
          <>
            <span className="text-faint">{t('welcome.newHere')}</span>
            <TextButton onClick={() => setStep('signUp')}>{t('welcome.signUp')}</TextButton>
          </>
        )}
        {step === 'signIn' && !isOpen && <p className="text-faint">{t('welcome.invitedOnly')}</p>}
        {step === 'signUp' && <span className="text-faint">{t('welcome.knownHere')}</span>}
        {(step === 'signUp' || step === 'forgot' || step === 'link' || step === 'mail') && (
          <TextButton onClick={() => setStep('signIn')}>{t('welcome.signIn')}</TextButton>
        )}
      </div>
    </div>
  )
}
