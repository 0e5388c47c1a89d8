/** On every page while the current account is suspended: the reason, and the operator to ask. It cannot be closed. */
import { useQuery } from '@tanstack/react-query'
import { sessionQuery, shownOf } from '../api/session.ts'
import { useText } from '../i18n/i18n.ts'
import { usePreferences } from '../preferences.ts'

export function SuspendedNote() {
  const { t } = useText()
  const { data } = useQuery(sessionQuery)
  const { account: chosen } = usePreferences()
  const account = shownOf(data?.accounts ?? [], chosen)
  return (
    <div role="status">
      {account?.suspended && (
        <div className="bg-wrong-soft px-6 py-2 text-center font-medium text-wrong">
          <p>{t('shell.suspended', { name: isolated(account.name) })}</p>
          {account.suspended.reason !== null && (
            <p className="break-words">{t('shell.suspendedReason', { reason: isolated(account.suspended.reason) })}</p>
          )}
        </div>
      )}
    </div>
  )
}

/** In the direction of its own language: Unicode's first strong isolate, and its end. */
function isolated(text: string): string {
  return `\u2068${text}\u2069`
}
