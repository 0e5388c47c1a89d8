/** An application of one's own is registered, or changed. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeClient, clientsQuery, createClient } from '../../api/clients.ts'
import type { ClientWithSecret, OwnClient } from '../../api/settings-types.ts'
import { grantsQuery } from '../../api/grants.ts'
import { useText } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'
import { ClientForm, type ClientWish } from './client-form.tsx'

export function ClientFormDialog({
  of,
  onClose,
  onDone,
}: {
  /** Undefined for a new one. */
  readonly of: OwnClient | undefined
  readonly onClose: () => void
  readonly onDone: (made: ClientWithSecret) => void
}) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: ({ kind, ...wish }: ClientWish): Promise<ClientWithSecret> =>
      of ? changeClient(account, of.client_id, wish) : createClient(account, { kind, ...wish }),
    onSuccess: (made) => {
      onDone(made)
      if (of) showToast({ text: t('keys.changed', { name: made.name }) })
      void queries.invalidateQueries({ queryKey: clientsQuery(account).queryKey })
      void queries.invalidateQueries({ queryKey: grantsQuery(account).queryKey })
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={of ? t('keys.editNamed', { name: of.name }) : t('apps.newTitle')}
      description={of ? t('apps.editText') : t('apps.newText')}
    >
      <ClientForm
        first={of}
        error={saving.error}
        busy={saving.isPending}
        submit={of ? t('keys.save') : t('apps.create')}
        onSubmit={(wish) => saving.mutate(wish)}
        onClose={onClose}
      />
    </Dialog>
  )
}
