/** Who was invited and has not come yet. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { invitationsQuery, withdrawInvitation } from '../../api/members.ts'
import type { Account } from '../../api/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Ltr, Section, Skeleton } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Invite } from './invite.tsx'
import { ROLE_NAMES } from './role-text.ts'

export function Invitations({ account }: { readonly account: Account }) {
  const { t } = useText()
  const format = useFormat()
  const queries = useQueryClient()
  const [inviting, setInviting] = useState(false)
  const button = useRef<HTMLDivElement>(null)
  const query = invitationsQuery(account.id)
  const { data, error, refetch } = useQuery(query)
  const withdraw = useMutation({
    mutationFn: (id: string) => withdrawInvitation(account.id, id),
    onSuccess: async () => {
      showToast({ text: t('team.withdrawn') })
      await queries.invalidateQueries({ queryKey: query.queryKey })
      button.current?.querySelector('button')?.focus()
    },
  })
  return (
    <Section
      title={t('team.invitations')}
      description={t('team.invitationsText')}
      actions={
        <div ref={button}>
          <Button kind="main" icon="plus" onClick={() => setInviting(true)}>
            {t('team.invite')}
          </Button>
        </div>
      }
    >
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {withdraw.error && <Fault error={withdraw.error} />}
      {!data && !error && (
        <div aria-busy="true">
          <Skeleton className="h-14" />
        </div>
      )}
      {data?.length === 0 && <p className="text-faint">{t('team.invitationsEmpty')}</p>}
      {data && data.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-card">
          {data.map(({ id, email, role, expires_at: expiresAt }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
              <div className="me-auto min-w-0">
                <Ltr className="font-medium">{email}</Ltr>
                <p className="flex flex-wrap gap-x-3 text-sm text-faint">
                  <span>{t(ROLE_NAMES[role])}</span>
                  <span>{t('team.expires', { date: format.date(expiresAt) })}</span>
                </p>
              </div>
              <Button
                small
                kind="danger"
                aria-label={t('team.withdrawNamed', { email })}
                busy={withdraw.isPending && withdraw.variables === id}
                onClick={() => withdraw.mutate(id)}
              >
                {t('team.withdraw')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {inviting && <Invite account={account} onClose={() => setInviting(false)} />}
    </Section>
  )
}
