/** Beside the way to the favorites: how many have changed since the last visit. */
import { useQuery } from '@tanstack/react-query'
import { changedQuery } from '../api/favorites.ts'
import { useClient } from '../api/client.ts'
import { useAccount } from '../api/session.ts'
import { useText } from '../i18n/i18n.ts'
import { useLatestVisit } from './visits.ts'

const LOOK_EVERY_MS = 5 * 60_000

export default function FavoritesBadge() {
  const account = useAccount()
  return account ? <Changed account={account.id} /> : null
}

function Changed({ account }: { readonly account: string }) {
  const { t } = useText()
  const since = useLatestVisit(account)
  const { data = [] } = useQuery({ ...changedQuery(useClient(), account, since), refetchInterval: LOOK_EVERY_MS })
  if (data.length === 0) return null
  return (
    <span className="ms-2 inline-flex min-w-6 justify-center rounded-full bg-accent px-1.5 text-sm font-semibold text-on-accent tabular-nums">
      <span aria-hidden="true">{t('favorites.badge', { count: data.length })}</span>
      <span className="sr-only">{t('favorites.badgeText', { count: data.length })}</span>
    </span>
  )
}
