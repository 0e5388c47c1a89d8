/** A new secret for an application; the old one ends with it. */
import { useMutation } from '@tanstack/react-query'
import { rotateClient } from '../../api/clients.ts'
import type { ClientWithSecret, OwnClient } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { faultText } from '../../ui/fault.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'

export function RotateClient({
  of,
  onClose,
  onRotated,
}: {
  readonly of: OwnClient
  readonly onClose: () => void
  readonly onRotated: (made: ClientWithSecret) => void
}) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const rotating = useMutation({ mutationFn: () => rotateClient(account, of.client_id), onSuccess: onRotated })
  return (
    <Confirm
      open
      title={t('apps.rotateNamed', { name: of.name })}
      description={t('apps.rotateText')}
      act={t('apps.rotateAct')}
      busy={rotating.isPending}
      wrong={rotating.error ? faultText(rotating.error) : undefined}
      onConfirm={() => rotating.mutate()}
      onClose={onClose}
    />
  )
}
