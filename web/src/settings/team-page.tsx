/** The members of the current account. A personal account has one member; teams have several. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { changeRole, createAccount, deleteAccount, membersQuery, removeMember } from '../api/members.ts'
import type { Member, Role } from '../api/settings-types.ts'
import { isAtLeast, sessionQuery, useAccount, useRefreshSession, useSession, type Account } from '../api/session.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { setPreferences } from '../preferences.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Fault, faultText, fieldFault } from '../ui/fault.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Badge, Empty, Ltr, PageTitle, Section, Skeleton } from '../ui/layout.tsx'
import { showToast } from '../ui/toast.tsx'
import { Invitations, ROLE_NAMES, ROLE_TEXTS } from './invitations.tsx'

const ROLES: readonly Role[] = ['owner', 'admin', 'member', 'viewer']

export default function TeamPage() {
  const { t } = useText()
  const account = useAccount()
  const [creating, setCreating] = useState(false)
  if (!account) return null
  const create = (kind: 'main' | 'plain') => (
    <Button kind={kind} icon="people" onClick={() => setCreating(true)}>
      {t('team.newTeam')}
    </Button>
  )
  return (
    <>
      <PageTitle actions={!account.own && create('plain')}>{t('team.title')}</PageTitle>
      {account.own ? (
        <Empty icon="people" title={t('team.ownTitle')} action={create('main')}>
          {t('team.ownText')}
        </Empty>
      ) : (
        <div>
          <Members account={account} />
          {isAtLeast(account.role, 'admin') && <Invitations account={account} />}
          <RolesExplained />
          <Leaving account={account} />
        </div>
      )}
      {creating && <NewTeam onClose={() => setCreating(false)} />}
    </>
  )
}

/** Admins change roles and remove people; only owners make and unmake owners. */
function Members({ account }: { readonly account: Account }) {
  const { t } = useText()
  const queries = useQueryClient()
  const list = useRef<HTMLUListElement>(null)
  const query = membersQuery(account.id)
  const { data, error, refetch } = useQuery(query)
  const me = useSession().person?.id
  const [removing, setRemoving] = useState<Member>()
  const nameOf = ({ name, email }: Member) => name ?? email ?? t('team.somebody')
  const change = useMutation({
    mutationFn: ({ member, role }: { member: Member; role: Role }) => changeRole(account.id, member.id, role),
    onMutate: ({ member, role }) => {
      const before = queries.getQueryData(query.queryKey)
      queries.setQueryData(query.queryKey, (known) =>
        known?.map((one) => (one.id === member.id ? { ...one, role } : one)),
      )
      return before
    },
    onError: (_error, _wish, before) => queries.setQueryData(query.queryKey, before),
    onSuccess: async (_said, { member, role }, before) => {
      const was = before?.find(({ id }) => id === member.id)?.role
      showToast({
        text: t('team.roleChanged', { name: nameOf(member), role: t(ROLE_NAMES[role]) }),
        ...(was === undefined ? {} : { onUndo: () => change.mutate({ member, role: was }) }),
      })
      if (member.id === me) await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
  const remove = useMutation({
    mutationFn: ({ id }: Member) => removeMember(account.id, id),
    onSuccess: async (_said, member) => {
      setRemoving(undefined)
      showToast({ text: t('team.removed', { name: nameOf(member) }) })
      await queries.invalidateQueries({ queryKey: query.queryKey })
      list.current?.focus()
    },
  })
  return (
    <Section title={t('team.people')} description={t('team.peopleText')}>
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {change.error && <Fault error={change.error} />}
      {!data && !error && (
        <div aria-busy="true" className="grid gap-2">
          <Skeleton className="h-18" />
          <Skeleton className="h-18" />
        </div>
      )}
      {data && (
        <ul
          ref={list}
          tabIndex={-1}
          aria-label={t('team.people')}
          className="divide-y divide-line rounded-lg border border-line bg-card"
        >
          {data.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              name={nameOf(member)}
              isMe={member.id === me}
              roles={rolesFor(account.role, member.role)}
              canRemove={member.id !== me && canTouch(account.role, member.role)}
              onRole={(role) => change.mutate({ member, role })}
              onRemove={() => setRemoving(member)}
            />
          ))}
        </ul>
      )}
      <Confirm
        open={removing !== undefined}
        title={t('team.remove')}
        description={removing && t('team.removeText', { name: nameOf(removing), account: account.name })}
        act={t('team.remove')}
        busy={remove.isPending}
        wrong={remove.error ? faultText(remove.error) : undefined}
        onConfirm={() => removing && remove.mutate(removing)}
        onClose={() => {
          remove.reset()
          setRemoving(undefined)
        }}
      />
    </Section>
  )
}

const canTouch = (mine: Role, theirs: Role) => isAtLeast(mine, theirs === 'owner' ? 'owner' : 'admin')

/** What I may make of them; empty when I may not change them at all. */
function rolesFor(mine: Role, theirs: Role): readonly Role[] {
  if (!canTouch(mine, theirs)) return []
  return mine === 'owner' ? ROLES : ROLES.filter((role) => role !== 'owner')
}

/** A button applies the new role, so that arrow keys in the list do not change it in passing. */
function MemberRow({
  member: { email, role, joined_at: joinedAt },
  name,
  isMe,
  roles,
  canRemove,
  onRole,
  onRemove,
}: {
  readonly member: Member
  readonly name: string
  readonly isMe: boolean
  /** To choose from; none: the role is only shown. */
  readonly roles: readonly Role[]
  readonly canRemove: boolean
  readonly onRole: (role: Role) => void
  readonly onRemove: () => void
}) {
  const { t } = useText()
  const format = useFormat()
  const [wish, setWish] = useState<Role>()
  const wished = wish ?? role
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3">
      <div className="me-auto min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <bdi className="font-medium">{name}</bdi>
          {isMe && <Badge tone="accent">{t('team.you')}</Badge>}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-faint">
          {email !== null && <Ltr>{email}</Ltr>}
          <span>{t('team.since', { date: format.date(joinedAt) })}</span>
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        {roles.length === 0 ? (
          <span className="text-faint">{t(ROLE_NAMES[role])}</span>
        ) : (
          <SelectField
            className="w-36"
            hideLabel
            label={t('team.roleOf', { name })}
            value={wished}
            onChange={({ target }) => setWish(target.value as Role)}
          >
            {roles.map((one) => (
              <option key={one} value={one}>
                {t(ROLE_NAMES[one])}
              </option>
            ))}
          </SelectField>
        )}
        {wished !== role && (
          <Button
            kind="main"
            onClick={({ currentTarget }) => {
              onRole(wished)
              setWish(undefined)
              // The button goes away.
              currentTarget.parentElement?.querySelector('select')?.focus()
            }}
          >
            {t('profile.save')}
          </Button>
        )}
        {canRemove && (
          <Button kind="danger" aria-label={t('team.removeNamed', { name })} onClick={onRemove}>
            {t('team.removeShort')}
          </Button>
        )}
      </div>
    </li>
  )
}

function RolesExplained() {
  const { t } = useText()
  return (
    <Section title={t('team.roles')}>
      <dl className="grid max-w-[44rem] gap-3">
        {ROLES.toReversed().map((role) => (
          <div key={role} className="grid gap-x-6 sm:grid-cols-[8rem_1fr]">
            <dt className="font-medium">{t(ROLE_NAMES[role])}</dt>
            <dd className="text-faint">{t(ROLE_TEXTS[role])}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

/** The ways out of a team: going oneself, or ending it for everybody. */
function Leaving({ account }: { readonly account: Account }) {
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

/** The creator becomes its owner and switches to it. */
function NewTeam({ onClose }: { readonly onClose: () => void }) {
  const { t } = useText()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => createAccount(name.trim()),
    onSuccess: async ({ id, name: made }) => {
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      onClose()
      setPreferences({ account: id })
      showToast({ text: t('team.created', { account: made }) })
    },
  })
  const wrong = fieldFault(create.error, '/name')
  return (
    <Dialog open onClose={onClose} title={t('team.newTeam')} description={t('team.newTeamText')}>
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') create.mutate()
        }}
      >
        <TextField
          label={t('team.teamName')}
          value={name}
          onChange={({ target }) => setName(target.value)}
          required
          maxLength={100}
          autoComplete="organization"
          wrong={wrong}
        />
        {create.error && wrong === undefined && <Fault error={create.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" busy={create.isPending} disabled={name.trim() === ''}>
            {t('team.createTeam')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
