/** What matters now, in four cards. */
import { useText } from '../i18n/i18n.ts'
import { PageTitle } from '../ui/layout.tsx'
import { KeysCard } from './overview/keys-card.tsx'
import { SecurityCard } from './overview/security-card.tsx'
import { TeamCard } from './overview/team-card.tsx'
import { UsageCard } from './overview/usage-card.tsx'

export default function OverviewPage() {
  const { t } = useText()
  return (
    <>
      <PageTitle>{t('settings.title')}</PageTitle>
      <div className="grid gap-5 sm:grid-cols-2">
        <KeysCard />
        <UsageCard />
        <SecurityCard />
        <TeamCard />
      </div>
    </>
  )
}
