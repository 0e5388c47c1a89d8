/** What came of an attempt: the status that the receiver answered, or why there was none. */
import type { Delivery } from 'namewright'
import { useText } from '../../i18n/i18n.ts'
import { Ltr } from '../../ui/layout.tsx'
import { errorText } from './words.ts'

export function Outcome({ of: { last_status, last_error, last_answer } }: { readonly of: Delivery }) {
  const { t } = useText()
  const known = last_error === null ? undefined : errorText(last_error)
  return (
    <div className="grid gap-1">
      {last_status !== null && <p>{t('webhooks.answered', { status: String(last_status) })}</p>}
      {last_error !== null && last_error !== 'status' && <p>{known === undefined ? last_error : t(known)}</p>}
      {last_answer !== null && last_answer !== '' && (
        <details>
          <summary className="min-h-6 text-sm text-faint underline underline-offset-4">
            {t('webhooks.showAnswer')}
          </summary>
          <pre dir="ltr" className="mt-1 max-h-40 overflow-auto rounded-sm bg-sunken p-2 text-sm whitespace-pre-wrap">
            <Ltr>{last_answer}</Ltr>
          </pre>
        </details>
      )}
    </div>
  )
}
