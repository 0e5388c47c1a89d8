import { useQuery } from '@tanstack/react-query'
import { historyDaysQuery } from '../../api/history.ts'
import { useAccount } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { Notice, Skeleton } from '../../ui/layout.tsx'

/** How long this very account keeps its history. */
export function KeptHistory() {
  const account = useAccount()
  return account && <Kept account={account.id} name={account.name} />
}

function Kept({ account, name }: { readonly account: string; readonly name: string }) {
  const { t } = useText()
  const { data: days, isError } = useQuery(historyDaysQuery(account))
  // Said in general above; what cannot be found out is not worth a fault here.
  if (isError) return null
  if (days === undefined) return <Skeleton className="h-14" />
  return (
    <Notice tone={days === 0 ? 'done' : 'info'}>
      {days === null ? t('about.historyAlways', { name }) : t('about.historyDays', { name, days })}
    </Notice>
  )
}
