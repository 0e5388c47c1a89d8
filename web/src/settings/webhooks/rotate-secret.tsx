/** A new secret to sign with; for a while both sign, so that no delivery is refused meanwhile. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Webhook, WebhookWithSecret } from 'namewright'
import { useState } from 'react'
import { rotateWebhook, webhooksQuery } from '../../api/webhooks.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'

type Hours = '0' | '24' | '168'

export function RotateSecret({
  of,
  onClose,
  onRotated,
}: {
  readonly of: Webhook
  readonly onClose: () => void
  readonly onRotated: (made: WebhookWithSecret) => void
}) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const [hours, setHours] = useState<Hours>('24')
  const rotating = useMutation({
    mutationFn: () => rotateWebhook(account, of.id, Number(hours)),
    onSuccess: (made) => {
      onRotated(made)
      void queries.invalidateQueries({ queryKey: webhooksQuery(account).queryKey, exact: true })
    },
  })
  return (
    <Dialog open onClose={onClose} title={t('webhooks.rotateTitle')} description={t('webhooks.rotateText')}>
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          rotating.mutate()
        }}
      >
        <Choice
          label={t('webhooks.grace')}
          value={hours}
          options={[
            { value: '0', label: t('keys.graceNone') },
            { value: '24', label: t('keys.graceDay') },
            { value: '168', label: t('keys.graceWeek') },
          ]}
          onChange={setHours}
        />
        {rotating.error && <Fault error={rotating.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" busy={rotating.isPending}>
            {t('webhooks.rotateAct')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
