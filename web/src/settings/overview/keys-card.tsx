/** How many keys there are, and which of them need a look. */
import { useQuery } from '@tanstack/react-query'
import { keysQuery } from '../../api/keys.ts'
import { useText } from '../../i18n/i18n.ts'
import { useLookedAt } from '../frame/looked-at.ts'
import { PAGES } from '../frame/pages.ts'
import { lifeOf } from '../keys/key-end.tsx'
import { freshnessOf } from '../programs/last-used.tsx'
import { Line, Unknown } from './lines.tsx'
import { OverviewCard } from './overview-card.tsx'

export function KeysCard() {
  const { t } = useText()
  const { id: account } = useLookedAt()
  const { data, error, isPending } = useQuery(keysQuery(account))
  const now = Date.now()
  const living = data?.filter((key) => key.revoked_at === null) ?? []
  const count = (is: (key: (typeof living)[number]) => boolean) => living.filter((key) => is(key)).length
  const soon = count((key) => lifeOf(key, now) === 'ends-soon')
  const ended = count((key) => lifeOf(key, now) === 'ended')
  const unused = count((key) => freshnessOf(key.last_used_at, key.created_at, now) === 'long')
  return (
    <OverviewCard page={PAGES.keys} go="settings.goKeys" isWaiting={isPending}>
      {error && <Unknown error={error} />}
      {data && <p>{t('settings.keysCount', { count: living.length })}</p>}
      {ended > 0 && <Line is="bad">{t('settings.keysEnded', { count: ended })}</Line>}
      {soon > 0 && <Line is="mind">{t('settings.keysEndSoon', { count: soon })}</Line>}
      {unused > 0 && <Line is="mind">{t('settings.keysUnused', { count: unused })}</Line>}
      {living.length > 0 && ended + soon + unused === 0 && <Line is="good">{t('settings.keysWell')}</Line>}
    </OverviewCard>
  )
}
