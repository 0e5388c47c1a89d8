/** One person of a team. A button applies the new role, so that arrow keys in the list do not change it in passing. */
import { useState } from 'react'
import type { Member } from '../../api/members.ts'
import type { Role } from '../../api/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Badge, Ltr } from '../../ui/layout.tsx'
import { ROLE_NAMES } from './role-text.ts'

export function MemberRow({
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
