/** Inviting people to an account, and who has not come yet. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { invitationsQuery, invite, withdrawInvitation } from '../api/members.ts'
import type { InvitedRole, Role } from '../api/settings-types.ts'
import type { Account } from '../api/session.ts'
import { useFormat } from '../i18n/format.ts'
import { useText, type TextId } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Fault, fieldFault } from '../ui/fault.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Ltr, Section, Skeleton } from '../ui/layout.tsx'
import { showToast } from '../ui/toast.tsx'
import { isAddress } from '../welcome/form.ts'

export const ROLE_NAMES = {
  owner: 'team.owner',
  admin: 'team.admin',
  member: 'team.member',
  viewer: 'team.viewer',
} as const satisfies Record<Role, TextId>

export const ROLE_TEXTS = {
  owner: 'team.ownerText',
  admin: 'team.adminText',
  member: 'team.memberText',
  viewer: 'team.viewerText',
} as const satisfies Record<Role, TextId>

const INVITED: readonly InvitedRole[] = ['member', 'viewer', 'admin']

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

/** Where the service sends no email, it shows the link. */
function Invite({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const { t } = useText()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<InvitedRole>('member')
  const [isWrong, setWrong] = useState(false)
  const ask = useMutation({
    mutationFn: () => invite(account.id, { email: email.trim(), role }),
    onSuccess: async ({ link, email: invited }) => {
      if (link === undefined) {
        onClose()
        showToast({ text: t('team.invited', { email: invited }) })
      }
      await queries.invalidateQueries({ queryKey: invitationsQuery(account.id).queryKey })
    },
  })
  const link = ask.data?.link
  if (link !== undefined)
    return (
      <Dialog key="link" open mustDecide onClose={onClose} title={t('team.linkTitle')} description={t('team.linkText')}>
        <TextField label={t('team.link')} value={link} readOnly dir="ltr" onFocus={({ target }) => target.select()} />
        <DialogActions>
          <CopyButton text={link} small={false} />
          <Button kind="main" onClick={onClose}>
            {t('team.done')}
          </Button>
        </DialogActions>
      </Dialog>
    )
  const wrong = isWrong ? t('welcome.emailNeeded') : fieldFault(ask.error, '/email')
  return (
    <Dialog open onClose={onClose} title={t('team.invite')} description={t('team.inviteText')}>
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          setWrong(!isAddress(email.trim()))
          if (isAddress(email.trim())) ask.mutate()
        }}
      >
        <TextField
          label={t('team.email')}
          type="email"
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          value={email}
          wrong={wrong}
          onChange={({ target }) => setEmail(target.value)}
        />
        <SelectField
          label={t('team.role')}
          hint={t(ROLE_TEXTS[role])}
          value={role}
          onChange={({ target }) => setRole(target.value as InvitedRole)}
        >
          {INVITED.map((one) => (
            <option key={one} value={one}>
              {t(ROLE_NAMES[one])}
            </option>
          ))}
        </SelectField>
        {ask.error && wrong === undefined && <Fault error={ask.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" busy={ask.isPending}>
            {t('team.sendInvitation')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
