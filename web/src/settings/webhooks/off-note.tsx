/** Why a webhook is off or about to be, and the way back. */
import type { Webhook } from 'namewright'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/layout.tsx'
import { OFF_TEXTS } from './words.ts'

export function OffNote({
  of: { enabled, off_reason, off_at, failing_since, old_secret_until },
  busy,
  onSwitchOn,
}: {
  readonly of: Webhook
  readonly busy: boolean
  readonly onSwitchOn: () => void
}) {
  const { t } = useText()
  const format = useFormat()
  if (!enabled)
    return (
      <Notice
        tone={off_reason === 'by_hand' ? 'info' : 'warn'}
        title={t('webhooks.offSince', { when: off_at === null ? '' : format.ago(off_at) })}
        action={
          <Button small busy={busy} onClick={onSwitchOn}>
            {t('webhooks.switchOn')}
          </Button>
        }
      >
        {t(OFF_TEXTS[off_reason ?? 'by_hand'])}
      </Notice>
    )
  return (
    <>
      {failing_since !== null && (
        <Notice tone="warn">{t('webhooks.failingSince', { when: format.ago(failing_since) })}</Notice>
      )}
      {old_secret_until !== null && Date.parse(old_secret_until) > Date.now() && (
        <Notice>{t('webhooks.oldSecret', { when: format.ago(old_secret_until) })}</Notice>
      )}
    </>
  )
}
