/** A key is changed in place: its text stays as it is, and what it may do is another within seconds. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeKey, keysQuery } from '../../api/keys.ts'
import type { Key } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { useFormat } from '../../i18n/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'
import { draftOf, keyChangeOf, type KeyDraft } from './key-draft.ts'
import { KeyForm } from './key-form.tsx'

export function ChangeKey({ of, onClose }: { readonly of: Key; readonly onClose: () => void }) {
  const { t } = useText()
  const format = useFormat()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const { queryKey } = keysQuery(account)
  const changing = useMutation({
    mutationFn: async (draft: KeyDraft) => {
      const change = keyChangeOf(draft, of, Date.now())
      return change ? changeKey(account, of.id, change) : of
    },
    onSuccess: (changed) => {
      queries.setQueryData(queryKey, (keys) => keys?.map((key) => (key.id === changed.id ? changed : key)))
      onClose()
      showToast({ text: t('keys.changed', { name: changed.name }) })
    },
  })
  return (
    <Dialog open onClose={onClose} title={t('keys.editNamed', { name: of.name })} description={t('keys.editText')}>
      <KeyForm
        first={draftOf(of)}
        isNew={false}
        {...(of.expires_at === null ? {} : { keepsEnd: t('keys.endsAsNow', { date: format.date(of.expires_at) }) })}
        error={changing.error}
        busy={changing.isPending}
        submit={t('keys.save')}
        onSubmit={(draft) => changing.mutate(draft)}
        onClose={onClose}
      />
    </Dialog>
  )
}
