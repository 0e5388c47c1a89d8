/** Who is in the account. Admins change roles and remove people; only owners make and unmake owners. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { changeRole, membersQuery, removeMember } from '../../api/members.ts'
import type { Member } from '../../api/members.ts'
import { isAtLeast, sessionQuery, useSession } from '../../api/session.ts'
import type { Account, Role } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Fault, faultText } from '../../ui/fault.tsx'
import { Section, Skeleton } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'
import { MemberRow } from './member-row.tsx'
import { ROLE_NAMES } from './role-text.ts'

export function Members({ account }: { readonly account: Account }) {
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
  return mine === 'owner' ? ['owner', 'admin', 'member', 'viewer'] : ['admin', 'member', 'viewer']
}
