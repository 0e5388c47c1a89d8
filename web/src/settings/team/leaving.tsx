/** The ways out of a team: going oneself, or ending it for everybody. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteAccount, removeMember } from '../../api/members.ts'
import { isAtLeast, useRefreshSession, useSession } from '../../api/session.ts'
import type { Account } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { setPreferences } from '../../preferences.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { faultText } from '../../ui/fault.tsx'
import { Section } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'

export function Leaving({ account }: { readonly account: Account }) {
  const { t } = useText()
  const me = useSession().person?.id ?? ''
  const navigate = useNavigate()
  const refresh = useRefreshSession()
  const [asked, setAsked] = useState<'leave' | 'delete'>()
  const act = useMutation({
    mutationFn: (way: 'leave' | 'delete') =>
      way === 'leave' ? removeMember(account.id, me) : deleteAccount(account.id),
    onSuccess: async (_said, way) => {
      setAsked(undefined)
      setPreferences({ account: '' })
      showToast({ text: t(way === 'leave' ? 'team.left' : 'team.deleted', { account: account.name }) })
      await navigate({ to: '/settings' })
      await refresh()
    },
  })
  const close = () => {
    act.reset()
    setAsked(undefined)
  }
  const wrong = act.error ? faultText(act.error) : undefined
  return (
    <Section title={t('team.leaving')} description={t('team.leavingText')}>
      <div className="flex flex-wrap gap-3">
        <Button kind="danger" onClick={() => setAsked('leave')}>
          {t('team.leave')}
        </Button>
        {isAtLeast(account.role, 'owner') && (
          <Button kind="danger" onClick={() => setAsked('delete')}>
            {t('team.delete')}
          </Button>
        )}
      </div>
      <Confirm
        open={asked === 'leave'}
        title={t('team.leave')}
        description={t('team.leaveText', { account: account.name })}
        act={t('team.leave')}
        busy={act.isPending}
        wrong={wrong}
        onConfirm={() => act.mutate('leave')}
        onClose={close}
      />
      <Confirm
        open={asked === 'delete'}
        title={t('team.delete')}
        description={t('team.deleteText', { account: account.name })}
        act={t('team.delete')}
        typed={account.name}
        busy={act.isPending}
        wrong={wrong}
        onConfirm={() => act.mutate('delete')}
        onClose={close}
      />
    </Section>
  )
}
