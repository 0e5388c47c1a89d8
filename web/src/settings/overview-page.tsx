/** What matters now, in five cards. */
import { useText } from '../i18n/i18n.ts'
import { classes } from '../ui/classes.ts'
import { PageTitle } from '../ui/layout.tsx'
import { useCurrentAccount } from './frame/current-account.ts'
import { KeysCard } from './overview/keys-card.tsx'
import { SecurityCard } from './overview/security-card.tsx'
import { TeamCard } from './overview/team-card.tsx'
import { UsageCard } from './overview/usage-card.tsx'
import { WebhooksCard } from './overview/webhooks-card.tsx'

export default function OverviewPage() {
  const { t } = useText()
  const { isAdmin } = useCurrentAccount()
  return (
    <>
      <PageTitle>{t('settings.title')}</PageTitle>
      {/* Five do not fill two columns: two share the first row, and three the second. */}
      <div
        className={classes(
          'grid gap-5 sm:grid-cols-2',
          isAdmin && 'sm:max-xl:*:first:col-span-2 xl:grid-cols-6 xl:*:col-span-2 xl:*:nth-[-n+2]:col-span-3',
        )}
      >
        <KeysCard />
        <UsageCard />
        <SecurityCard />
        <TeamCard />
        {isAdmin && <WebhooksCard />}
      </div>
    </>
  )
}
