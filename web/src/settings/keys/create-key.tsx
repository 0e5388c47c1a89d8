/** A new key: what it is called, what it may do, and how much. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createKey, keysQuery } from '../../api/keys.ts'
import type { KeyWithSecret } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'
import { keyBodyOf, NEW_KEY, type KeyDraft } from './key-draft.ts'
import { KeyForm } from './key-form.tsx'

export function CreateKey({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void
  readonly onCreated: (made: KeyWithSecret) => void
}) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const making = useMutation({
    mutationFn: (draft: KeyDraft) => createKey(account, keyBodyOf(draft, Date.now())),
    onSuccess: (made) => {
      onCreated(made)
      void queries.invalidateQueries({ queryKey: keysQuery(account).queryKey })
    },
  })
  return (
    <Dialog open onClose={onClose} title={t('keys.createTitle')} description={t('keys.createText')}>
      <KeyForm
        first={NEW_KEY}
        isNew
        error={making.error}
        busy={making.isPending}
        submit={t('keys.create')}
        onSubmit={(draft) => making.mutate(draft)}
        onClose={onClose}
      />
    </Dialog>
  )
}
