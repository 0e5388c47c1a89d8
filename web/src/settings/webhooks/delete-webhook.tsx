/** The end of a webhook and of its log. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Webhook } from 'namewright'
import { deleteWebhook, webhooksQuery } from '../../api/webhooks.ts'
import { useText } from '../../i18n/i18n.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { faultText } from '../../ui/fault.tsx'
import { Ltr } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'

export function DeleteWebhook({
  of,
  onClose,
  onDeleted,
}: {
  readonly of: Webhook
  readonly onClose: () => void
  readonly onDeleted: () => void
}) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const { queryKey } = webhooksQuery(account)
  const deleting = useMutation({
    mutationFn: () => deleteWebhook(account, of.id),
    onSuccess: () => {
      queries.setQueryData(queryKey, (all) => all?.filter(({ id }) => id !== of.id))
      onDeleted()
      showToast({ text: t('webhooks.deleted') })
    },
  })
  return (
    <Confirm
      open
      title={t('webhooks.deleteTitle')}
      description={
        <>
          <p>{t('webhooks.deleteText')}</p>
          <p className="mt-2 font-mono text-sm">
            <Ltr>{of.url}</Ltr>
          </p>
        </>
      }
      act={t('webhooks.deleteAct')}
      busy={deleting.isPending}
      wrong={deleting.error ? faultText(deleting.error) : undefined}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    />
  )
}
