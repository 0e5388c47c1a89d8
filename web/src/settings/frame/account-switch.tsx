/** The current account with one's role, and a switch to the others. */
import { useSession } from '../../api/session.ts'
import type { Role } from '../../api/settings-types.ts'
import { useText, type TextId } from '../../i18n/i18n.ts'
import { setPreferences } from '../../preferences.ts'
import { announce } from '../../ui/announcer.tsx'
import { SelectField } from '../../ui/field.tsx'
import { useCurrentAccount } from './current-account.ts'

const ROLES: Readonly<Record<Role, TextId>> = {
  owner: 'settings.roleOwner',
  admin: 'settings.roleAdmin',
  member: 'settings.roleMember',
  viewer: 'settings.roleViewer',
}

export function AccountSwitch() {
  const { t } = useText()
  const { accounts } = useSession()
  const { id, name, role } = useCurrentAccount()
  const as = t(ROLES[role])
  if (accounts.length < 2)
    return (
      <div className="px-3 pb-3">
        <p className="font-medium">{name}</p>
        <p className="text-sm text-faint">{as}</p>
      </div>
    )
  const switchTo = (account: string) => {
    setPreferences({ account })
    announce(t('settings.switchedTo', { name: accounts.find((one) => one.id === account)?.name ?? '' }))
  }
  return (
    <SelectField
      label={t('settings.currentAccount')}
      hideLabel
      hint={as}
      value={id}
      onChange={({ target }) => switchTo(target.value)}
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
