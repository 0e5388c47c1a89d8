/** A key whose creator may no longer manage the account: an admin revokes or keeps it, with one click. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keepKey, keysQuery, revokeKey } from '../../api/keys.ts'
import type { Key } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { faultText } from '../../ui/fault.tsx'
import { Notice } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'

export function ReviewNote({ of, onRevoked }: { readonly of: Key; readonly onRevoked: () => void }) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const { name } = of
  const deciding = useMutation({
    mutationFn: async (keep: boolean) => {
      await (keep ? keepKey(account, of.id) : revokeKey(account, of.id))
    },
    onSuccess: (_none, keep) => {
      showToast({ text: t(keep ? 'keys.kept' : 'keys.revoked', { name }) })
      if (!keep) onRevoked()
      void queries.invalidateQueries({ queryKey: keysQuery(account).queryKey, exact: true })
    },
  })
  if (of.review === null) return null
  return (
    <Notice
      tone="warn"
      title={t('keys.reviewTitle')}
      action={
        <div role="group" aria-label={t('keys.reviewTitle')} className="flex flex-wrap gap-2">
          <Button
            small
            kind="danger"
            busy={deciding.isPending}
            aria-label={t('keys.revokeNamed', { name })}
            onClick={() => deciding.mutate(false)}
          >
            {t('keys.revoke')}
          </Button>
          <Button
            small
            busy={deciding.isPending}
            aria-label={t('keys.keepNamed', { name })}
            onClick={() => deciding.mutate(true)}
          >
            {t('keys.keep')}
          </Button>
        </div>
      }
    >
      {t('keys.reviewText')}
      {deciding.error && <span className="mt-2 block font-medium">{faultText(deciding.error)}</span>}
    </Notice>
  )
}
