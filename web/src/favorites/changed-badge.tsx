/** The latest change of one favorite, for those that have changed since the last visit. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useClient } from '../api/client.ts'
import { changesQuery } from '../api/favorites.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { Icon } from '../ui/icon.tsx'
import { Badge } from '../ui/layout.tsx'
import { changeText } from './change-text.ts'

export function ChangedBadge({ id }: { readonly id: string }) {
  const { t } = useText()
  const format = useFormat()
  const { data } = useInfiniteQuery(changesQuery(useClient(), id))
  const latest = data?.pages[0]?.items[0]
  return (
    <Badge tone="accent">
      <Icon name="bell" size={14} />
      {latest ? changeText(latest, format.ago(latest.created_at), t) : t('favorites.changed')}
    </Badge>
  )
}
