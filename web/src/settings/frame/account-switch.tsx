/** Which account is looked at, as what, and the others that one may look at instead. */
import { useSession } from '../../api/session.ts'
import type { Role } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import type { TextId } from '../../i18n/i18n.ts'
import { setPreferences } from '../../preferences.ts'
import { announce } from '../../ui/announcer.tsx'
import { SelectField } from '../../ui/field.tsx'
import { useLookedAt } from './looked-at.ts'

const ROLES: Readonly<Record<Role, TextId>> = {
  owner: 'settings.roleOwner',
  admin: 'settings.roleAdmin',
  member: 'settings.roleMember',
  viewer: 'settings.roleViewer',
}

export function AccountSwitch() {
  const { t } = useText()
  const { accounts } = useSession()
  const { id, name, role } = useLookedAt()
  const as = t(ROLES[role])
  if (accounts.length < 2)
    return (
      <div className="px-3 pb-3">
        <p className="font-medium">{name}</p>
        <p className="text-sm text-faint">{as}</p>
      </div>
    )
  const look = (account: string) => {
    setPreferences({ account })
    announce(t('settings.lookingAt', { name: accounts.find((one) => one.id === account)?.name ?? '' }))
  }
  return (
    <SelectField
      label={t('settings.accountLookedAt')}
      hideLabel
      hint={as}
      value={id}
      onChange={({ target }) => look(target.value)}
      className="px-3 pb-3"
    >
      {accounts.map((account) => (
        <option key={account.id} value={account.id}>
          {account.name}
        </option>
      ))}
    </SelectField>
  )
}
