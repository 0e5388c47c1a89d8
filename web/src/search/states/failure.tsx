/**
 * A search that was refused or broke off. What has arrived stays below it. Each kind has its own next step: sign in, wait,
 * loosen, or try again.
 */
import { isErrorCode, NamewrightError } from '@namewright/client'
import { useSession } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { Fault } from '../../ui/fault.tsx'
import { Notice } from '../../ui/layout.tsx'
import { QuotaUsedUp } from './quota-used-up.tsx'
import { TooFast } from './too-fast.tsx'

// A longer wait is not a rate limit but a used-up daily quota.
const SOON_MS = 120_000

export function Failure({
  error,
  hasNames,
  onRetry,
}: {
  readonly error: unknown
  readonly hasNames: boolean
  readonly onRetry: () => void
}) {
  const { t } = useText()
  const { person } = useSession()
  const waitMs = error instanceof NamewrightError ? (error.retryAfterMs ?? 0) : 0
  if (isErrorCode(error, 'quota_exceeded') || (isErrorCode(error, 'rate_limited') && !person && waitMs > SOON_MS))
    return <QuotaUsedUp waitMs={waitMs} isVisitor={!person} message={person ? leftIn(error) : undefined} />
  if (isErrorCode(error, 'rate_limited')) return <TooFast waitMs={waitMs} onRetry={onRetry} />
  if (isErrorCode(error, 'no_names')) return <Notice title={t('search.noneTitle')}>{t('search.shortNoMore')}</Notice>
  if (isErrorCode(error, 'invalid_request') && error.errors.length > 0)
    return (
      <Notice tone="wrong" alert title={t('search.invalid')}>
        <ul className="list-disc ps-5">
          {error.errors.map(({ pointer, message }) => (
            <li key={pointer}>{message}</li>
          ))}
        </ul>
      </Notice>
    )
  return (
    <div className="grid gap-2">
      <Fault error={error} onRetry={onRetry} />
      {hasNames && <p className="text-faint">{t('search.keptNames')}</p>}
    </div>
  )
}

function leftIn(error: unknown): string | undefined {
  return isErrorCode(error, 'quota_exceeded') ? error.message : undefined
}
