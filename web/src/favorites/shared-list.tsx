/** Everything that the account has shared for votes, newest first. Nothing is shown where there is nothing. */
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Account } from '../api/session.ts'
import { sharesQuery } from '../api/shares.ts'
import { useText } from '../i18n/i18n.ts'
import { Fault } from '../ui/fault.tsx'
import { Section } from '../ui/layout.tsx'
import { showToast } from '../ui/toast.tsx'
import { SharedCard } from './shared-card.tsx'

export function SharedList({ account }: { readonly account: Account }) {
  const { t } = useText()
  const list = useRef<HTMLDivElement>(null)
  const shares = useQuery(sharesQuery(account.id))
  if (shares.data === undefined || shares.data.length === 0)
    return shares.isError ? <Fault error={shares.error} onRetry={() => void shares.refetch()} /> : null
  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      <Section title={t('favorites.sharedTitle')} description={t('favorites.sharedListText')}>
        {shares.data.map((share) => (
          <SharedCard
            key={share.id}
            share={share}
            account={account}
            onEnded={() => {
              showToast({ text: t('favorites.shareIsGone') })
              list.current?.focus()
            }}
          />
        ))}
      </Section>
    </div>
  )
}
