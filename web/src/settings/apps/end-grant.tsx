/** The end of what an application may do here. A person can let it in again. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { endGrant, grantsQuery, WEB_APP } from '../../api/grants.ts'
import type { Grant } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { faultText } from '../../ui/fault.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'

export function EndGrant({
  of,
  onClose,
  onEnded,
}: {
  readonly of: Grant
  readonly onClose: () => void
  readonly onEnded: () => void
}) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const { queryKey } = grantsQuery(account)
  const ending = useMutation({
    mutationFn: () => endGrant(account, of.id),
    onSuccess: () => {
      queries.setQueryData(queryKey, (grants) => grants?.filter(({ id }) => id !== of.id))
      onEnded()
      showToast({ text: t('apps.ended', { name: of.name }) })
      void queries.invalidateQueries({ queryKey })
    },
  })
  return (
    <Confirm
      open
      title={t('apps.endNamed', { name: of.name })}
      description={of.client_id === WEB_APP ? t('apps.endThisText') : t('apps.endText')}
      act={t('apps.endAct')}
      busy={ending.isPending}
      wrong={ending.error ? faultText(ending.error) : undefined}
      onConfirm={() => ending.mutate()}
      onClose={onClose}
    />
  )
}
