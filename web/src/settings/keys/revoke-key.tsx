/** The end of a key, at once and for good; hence its name has to be typed. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keysQuery, revokeKey } from '../../api/keys.ts'
import type { Key } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { faultText } from '../../ui/fault.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'

export function RevokeKey({
  of,
  onClose,
  onRevoked,
}: {
  readonly of: Key
  readonly onClose: () => void
  readonly onRevoked: () => void
}) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const { queryKey } = keysQuery(account)
  const revoking = useMutation({
    mutationFn: () => revokeKey(account, of.id),
    onSuccess: () => {
      const revoked_at = new Date().toISOString()
      queries.setQueryData(queryKey, (keys) => keys?.map((key) => (key.id === of.id ? { ...key, revoked_at } : key)))
      onRevoked()
      showToast({ text: t('keys.revoked', { name: of.name }) })
      void queries.invalidateQueries({ queryKey, exact: true })
    },
  })
  return (
    <Confirm
      open
      title={t('keys.revokeNamed', { name: of.name })}
      description={t('keys.revokeText')}
      act={t('keys.revokeAct')}
      typed={of.name.trim()}
      busy={revoking.isPending}
      wrong={revoking.error ? faultText(revoking.error) : undefined}
      onConfirm={() => revoking.mutate()}
      onClose={onClose}
    />
  )
}
