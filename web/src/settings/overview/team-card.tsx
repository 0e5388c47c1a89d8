/** Who is in the account. */
import { useQuery } from '@tanstack/react-query'
import { askSettings } from '../../api/settings.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { useCurrentAccount } from '../frame/current-account.ts'
import { PAGES } from '../frame/pages.ts'
import { Unknown } from './status-line.tsx'
import { OverviewCard } from './overview-card.tsx'

const MOST_NAMES = 3

interface Members {
  readonly members: readonly { readonly id: string; readonly name: string | null; readonly email: string | null }[]
}

export function TeamCard() {
  const { t } = useText()
  const format = useFormat()
  const { id: account } = useCurrentAccount()
  const { data, error, isPending } = useQuery({
    queryKey: ['overview', account, 'members'],
    queryFn: ({ signal }) => askSettings<Members>(`/settings/accounts/${account}/members`, { signal }),
  })
  const names = data?.members.flatMap(({ name, email }) => name ?? email ?? []) ?? []
  const shown = names.slice(0, MOST_NAMES)
  const more = names.length - shown.length
  return (
    <OverviewCard page={PAGES.team} go="settings.goTeam" isWaiting={isPending}>
      {error && <Unknown error={error} />}
      {data && <p>{t('settings.people', { count: names.length })}</p>}
      {names.length > 1 && (
        <p className="text-sm text-faint">
          {format.list(more > 0 ? [...shown, t('settings.morePeople', { count: more })] : shown)}
        </p>
      )}
      {names.length === 1 && <p className="text-sm text-faint">{t('settings.onlyYou')}</p>}
    </OverviewCard>
  )
}
