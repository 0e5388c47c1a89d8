/** Why an application of the account is disabled, and the way back. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeClient, clientsQuery } from '../../api/clients.ts'
import type { OwnClient } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { faultText } from '../../ui/fault.tsx'
import { Notice } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'

export function DisabledNote({ of: { client_id, name, enabled, off_reason } }: { readonly of: OwnClient }) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const enabling = useMutation({
    mutationFn: () => changeClient(account, client_id, { enabled: true }),
    onSuccess: () => {
      showToast({ text: t('apps.enabled', { name }) })
      void queries.invalidateQueries({ queryKey: clientsQuery(account).queryKey })
    },
  })
  if (enabled) return null
  return (
    <Notice
      tone="warn"
      title={t('apps.disabled')}
      action={
        <Button
          small
          busy={enabling.isPending}
          aria-label={t('apps.enableNamed', { name })}
          onClick={() => enabling.mutate()}
        >
          {t('apps.enable')}
        </Button>
      }
    >
      {t(off_reason === 'creator_lost_access' ? 'apps.disabledCreator' : 'apps.disabledByHand')}
      {enabling.error && <span className="mt-2 block font-medium">{faultText(enabling.error)}</span>}
    </Notice>
  )
}
