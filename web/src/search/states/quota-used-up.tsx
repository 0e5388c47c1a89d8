/** Too little left for now: how much, when there is again, and for a visitor how there is more at once. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/layout.tsx'
import { useNow } from '../results/ago.tsx'

export function QuotaUsedUp({
  waitMs,
  isVisitor,
  message,
}: {
  readonly waitMs: number
  readonly isVisitor: boolean
  /** Of the service: how much is left, in the reader's language. */
  readonly message: string | undefined
}) {
  const { t } = useText()
  const format = useFormat()
  const { sign_up: canSignUp } = useSession()
  const [until] = useState(() => Date.now() + waitMs)
  const now = useNow()
  const when = waitMs > 0 ? format.ago(until, now) : undefined
  return (
    <Notice
      tone="warn"
      alert
      title={t(isVisitor ? 'search.quotaVisitorTitle' : 'search.quotaTitle')}
      action={
        isVisitor ? (
          <Link to="/welcome" className={buttonClass('main', true)}>
            {t(canSignUp ? 'search.quotaSignUp' : 'shell.signIn')}
          </Link>
        ) : (
          <Link to="/settings/usage" className={buttonClass('plain', true)}>
            {t('search.quotaUsage')}
          </Link>
        )
      }
    >
      {message !== undefined && <p>{message}</p>}
      {when !== undefined && <p>{t('search.quotaWhen', { when })}</p>}
      <p>{t(isVisitor ? 'search.quotaVisitorText' : 'search.quotaText')}</p>
    </Notice>
  )
}
