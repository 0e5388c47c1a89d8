/** Webhooks are for admins: an address may hold a secret, and what a receiver answers is nobody else's business. */
import { useText } from '../i18n/i18n.ts'
import { Empty, PageTitle } from '../ui/layout.tsx'
import { useCurrentAccount } from './frame/current-account.ts'
import { Webhooks } from './webhooks/webhooks.tsx'

export default function WebhooksPage() {
  const { t } = useText()
  const { name, isAdmin } = useCurrentAccount()
  if (isAdmin) return <Webhooks />
  return (
    <>
      <PageTitle>{t('webhooks.title')}</PageTitle>
      <Empty icon="shield" title={t('settings.adminsOnly')}>
        {t('settings.adminsOnlyText', { name })}
      </Empty>
    </>
  )
}
