/**
 * What went wrong, in words, and what to do next. The service's own messages are in the reader's language already; only
 * what never reached it is worded here.
 */
import { NamewrightError, NetworkError, TimeBudgetError } from '@namewright/client'
import { say, useText } from '../i18n/i18n.ts'
import { Button } from './button.tsx'
import { CalledOff } from './called-off.ts'
import { Notice } from './notice.tsx'

export function faultText(error: unknown): string {
  if (error instanceof CalledOff) return ''
  if (error instanceof NamewrightError) return [error.message, error.hint].filter(Boolean).join(' ')
  if (error instanceof TimeBudgetError) return say('shell.tooSlow')
  if (error instanceof NetworkError || error instanceof TypeError)
    return say(navigator.onLine ? 'shell.unreachable' : 'shell.offline')
  return say('shell.unexpected')
}

/** The message for one field of a form, by its JSON pointer. */
export function fieldFault(error: unknown, pointer: string): string | undefined {
  return error instanceof NamewrightError ? error.errors.find((one) => one.pointer === pointer)?.message : undefined
}

export function Fault({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { t } = useText()
  if (error instanceof CalledOff) return null
  const requestId = error instanceof NamewrightError ? error.requestId : undefined
  return (
    <Notice
      tone="wrong"
      alert
      action={
        onRetry && (
          <Button small icon="refresh" onClick={onRetry}>
            {t('shell.tryAgain')}
          </Button>
        )
      }
    >
      <p>{faultText(error)}</p>
      {requestId !== undefined && (
        <p className="mt-1 text-sm text-faint">
          {t('shell.requestId')} <bdi dir="ltr">{requestId}</bdi>
        </p>
      )}
    </Notice>
  )
}
