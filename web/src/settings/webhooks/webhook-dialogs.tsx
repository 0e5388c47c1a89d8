/** The dialogs of the webhooks, one at a time. */
import type { Webhook, WebhookWithSecret } from 'namewright'
import { useText } from '../../i18n/i18n.ts'
import { SecretOnce } from '../programs/secret-once.tsx'
import { DeleteWebhook } from './delete-webhook.tsx'
import { Deliveries } from './deliveries.tsx'
import { RotateSecret } from './rotate-secret.tsx'
import type { WebhookAct } from './webhook-card.tsx'
import { WebhookForm } from './webhook-form.tsx'

export type OpenDialog =
  | { readonly kind: 'create' }
  | { readonly kind: WebhookAct; readonly of: Webhook }
  | { readonly kind: 'secret'; readonly of: WebhookWithSecret }

export function WebhookDialogs({
  open,
  onOpen,
  onDeleted,
}: {
  readonly open: OpenDialog | undefined
  readonly onOpen: (next: OpenDialog | undefined) => void
  readonly onDeleted: () => void
}) {
  const { t } = useText()
  const close = () => onOpen(undefined)
  const show = (made: WebhookWithSecret) => onOpen({ kind: 'secret', of: made })
  switch (open?.kind) {
    case undefined:
      return null
    case 'create':
      return <WebhookForm of={undefined} onClose={close} onMade={show} />
    case 'edit':
      return <WebhookForm of={open.of} onClose={close} onMade={show} />
    case 'rotate':
      return <RotateSecret of={open.of} onClose={close} onRotated={show} />
    case 'log':
      return <Deliveries of={open.of} onClose={close} />
    case 'delete':
      return <DeleteWebhook of={open.of} onClose={close} onDeleted={onDeleted} />
    case 'secret':
      return (
        <SecretOnce
          title={t('webhooks.secretTitle')}
          description={t('webhooks.secretText')}
          label={t('webhooks.secret')}
          copy={t('apps.copySecret')}
          secret={open.of.secret}
          file={`NAMEWRIGHT_WEBHOOK_SECRET=${open.of.secret}\n`}
          onDone={close}
        />
      )
  }
}
