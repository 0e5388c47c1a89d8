/** What is around every page of the settings: the way to the others, and the account that they are about. */
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useAccount, useSession } from '../api/session.ts'
import { useText } from '../i18n/i18n.ts'
import { Loading } from '../shell/loading.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Empty, PageTitle } from '../ui/layout.tsx'
import { Navigation } from './frame/navigation.tsx'
import { StepUpDialog } from './security/step-up-dialog.tsx'

export default function SettingsFrame() {
  const { person } = useSession()
  const account = useAccount()
  if (!person || !account) return <SignInFirst />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 lg:grid-cols-[14rem_minmax(0,1fr)]">
      <Navigation role={account.role} />
      {/* Another account is another page: nothing half done is carried over. */}
      <div key={account.id} className="min-w-0">
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
        <StepUpDialog />
      </div>
    </div>
  )
}

function SignInFirst() {
  const { t } = useText()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <>
      <PageTitle>{t('settings.title')}</PageTitle>
      <Empty
        icon="person"
        title={t('settings.signInFirst')}
        action={
          <Link to="/welcome" search={{ to: path }} className={buttonClass('main')}>
            {t('settings.signIn')}
          </Link>
        }
      >
        {t('settings.signInFirstText')}
      </Empty>
    </>
  )
}
