/** /history: what was searched before, for those who are signed in; for others, what they would have here. */
import { Link } from '@tanstack/react-router'
import { useAccount } from '../api/session.ts'
import { OwnHistory } from '../history/own-history.tsx'
import { useText } from '../i18n/i18n.ts'
import { buttonClass } from '../ui/button.tsx'
import { Empty, PageTitle } from '../ui/layout.tsx'

export default function HistoryPage() {
  const { t } = useText()
  const account = useAccount()
  if (account) return <OwnHistory key={account.id} account={account} />
  return (
    <>
      <PageTitle>{t('history.title')}</PageTitle>
      <Empty
        icon="clock"
        title={t('history.invitation')}
        action={
          <Link to="/welcome" search={{ to: '/history' }} className={buttonClass('main')}>
            {t('shell.signIn')}
          </Link>
        }
      >
        {t('history.invitationText')}
      </Empty>
    </>
  )
}
