/** Deletes an application for everybody who authorized it; hence its name has to be typed. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clientsQuery, deleteClient } from '../../api/clients.ts'
import type { OwnClient } from '../../api/settings-types.ts'
import { grantsQuery } from '../../api/grants.ts'
import { useText } from '../../i18n/i18n.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { faultText } from '../../ui/fault.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'

export function DeleteClient({
  of,
  onClose,
  onDeleted,
}: {
  readonly of: OwnClient
  readonly onClose: () => void
  readonly onDeleted: () => void
}) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const { queryKey } = clientsQuery(account)
  const deleting = useMutation({
    mutationFn: () => deleteClient(account, of.client_id),
    onSuccess: () => {
      queries.setQueryData(queryKey, (all) => all?.filter(({ client_id }) => client_id !== of.client_id))
      onDeleted()
      showToast({ text: t('apps.deleted', { name: of.name }) })
      void queries.invalidateQueries({ queryKey: grantsQuery(account).queryKey })
    },
  })
  return (
    <Confirm
      open
      title={t('apps.deleteNamed', { name: of.name })}
      description={t('apps.deleteText')}
      act={t('apps.deleteAct')}
      typed={of.name.trim()}
      busy={deleting.isPending}
      wrong={deleting.error ? faultText(deleting.error) : undefined}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    />
  )
}
