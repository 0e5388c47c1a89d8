/** The applications that may act for the account now. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { grantsQuery } from '../../api/grants.ts'
import type { Grant } from '../../api/settings-types.ts'
import { useSession } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { Fault } from '../../ui/fault.tsx'
import { Empty, Section, Skeleton } from '../../ui/layout.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'
import { EndGrant } from './end-grant.tsx'
import { GrantCard } from './grant-card.tsx'
import { LimitGrant } from './limit-grant.tsx'

export function Grants() {
  const { t } = useText()
  const { person } = useSession()
  const { id: account, isAdmin } = useCurrentAccount()
  const { data, error, refetch } = useQuery(grantsQuery(account))
  const [open, setOpen] = useState<{ readonly kind: 'limit' | 'end'; readonly of: Grant }>()
  const [ended, setEnded] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  // What had the focus is gone.
  useEffect(() => {
    if (ended > 0) list.current?.focus()
  }, [ended])
  const living = data?.filter(({ revoked_at }) => revoked_at === null)
  const close = () => setOpen(undefined)
  return (
    <Section title={t('apps.authorizedTitle')} description={t('apps.authorizedText')}>
      <div ref={list} tabIndex={-1} aria-busy={!data && !error} className="grid grid-cols-1 gap-4 outline-none">
        {error && <Fault error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton className="h-48 rounded-lg" />}
        {living?.length === 0 && (
          <Empty icon="plug" title={t('apps.none')}>
            {t('apps.noneText')}
          </Empty>
        )}
        {living?.map((grant) => (
          <GrantCard
            key={grant.id}
            of={grant}
            mayLimit={isAdmin}
            mayEnd={isAdmin || grant.created_by?.id === person?.id}
            onLimit={() => setOpen({ kind: 'limit', of: grant })}
            onEnd={() => setOpen({ kind: 'end', of: grant })}
          />
        ))}
      </div>
      {open?.kind === 'limit' && <LimitGrant of={open.of} onClose={close} />}
      {open?.kind === 'end' && (
        <EndGrant
          of={open.of}
          onClose={close}
          onEnded={() => {
            close()
            setEnded((count) => count + 1)
          }}
        />
      )}
    </Section>
  )
}
