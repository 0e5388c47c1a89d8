/** The audit log: security events of the account. For its admins. */
import { isAtLeast, useAccount } from '../api/session.ts'
import { useText } from '../i18n/i18n.ts'
import { Empty, PageTitle } from '../ui/layout.tsx'
import { Events } from './audit/events.tsx'

export default function AuditPage() {
  const { t } = useText()
  const account = useAccount()
  if (!account) return null
  return (
    <>
      <PageTitle>{t('audit.title')}</PageTitle>
      <p className="-mt-5 mb-8 max-w-[40rem] text-faint">{t('audit.text')}</p>
      {isAtLeast(account.role, 'admin') ? (
        <Events account={account.id} />
      ) : (
        <Empty icon="shield" title={t('audit.adminsOnly')}>
          {t('audit.adminsOnlyText')}
        </Empty>
      )}
    </>
  )
}
