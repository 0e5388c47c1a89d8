/** How many keys there are, and which of them need a look. */
import { useQuery } from '@tanstack/react-query'
import { keysQuery } from '../../api/keys.ts'
import { useText } from '../../i18n/i18n.ts'
import { useCurrentAccount } from '../frame/current-account.ts'
import { PAGES } from '../frame/pages.ts'
import { lifeOf } from '../keys/key-end.tsx'
import { freshnessOf } from '../programs/last-used.tsx'
import { StatusLine, Unknown } from './status-line.tsx'
import { OverviewCard } from './overview-card.tsx'

export function KeysCard() {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const { data, error, isPending } = useQuery(keysQuery(account))
  const now = Date.now()
  const living = data?.filter((key) => key.revoked_at === null) ?? []
  const count = (is: (key: (typeof living)[number]) => boolean) => living.filter((key) => is(key)).length
  const soon = count((key) => lifeOf(key, now) === 'ends-soon')
  const ended = count((key) => lifeOf(key, now) === 'ended')
  const unused = count((key) => freshnessOf(key.last_used_at, key.created_at, now) === 'long')
  const reviews = count((key) => key.review !== null)
  return (
    <OverviewCard page={PAGES.keys} go="settings.goKeys" isWaiting={isPending}>
      {error && <Unknown error={error} />}
      {data && <p>{t('settings.keysCount', { count: living.length })}</p>}
      {reviews > 0 && <StatusLine is="bad">{t('settings.keysReview', { count: reviews })}</StatusLine>}
      {ended > 0 && <StatusLine is="bad">{t('settings.keysEnded', { count: ended })}</StatusLine>}
      {soon > 0 && <StatusLine is="mind">{t('settings.keysEndSoon', { count: soon })}</StatusLine>}
      {unused > 0 && <StatusLine is="mind">{t('settings.keysUnused', { count: unused })}</StatusLine>}
      {living.length > 0 && reviews + ended + soon + unused === 0 && (
        <StatusLine is="good">{t('settings.keysHealthy')}</StatusLine>
      )}
    </OverviewCard>
  )
}
