/** Applications: those that may act for the account, and those that the account has registered. */
import { useText } from '../i18n/i18n.ts'
import { PageTitle } from '../ui/layout.tsx'
import { ApplicationRules } from './apps/application-rules.tsx'
import { Clients } from './apps/clients.tsx'
import { Grants } from './apps/grants.tsx'
import { useCurrentAccount } from './frame/current-account.ts'

export default function AppsPage() {
  const { t } = useText()
  const { isAdmin } = useCurrentAccount()
  return (
    <>
      <PageTitle>{t('apps.title')}</PageTitle>
      <div>
        <Grants />
        {isAdmin && <ApplicationRules />}
        {isAdmin && <Clients />}
      </div>
    </>
  )
}
