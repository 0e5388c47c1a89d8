/** The menu of the person and of the current account. */
import { useNavigate } from '@tanstack/react-router'
import { useAccount } from '../api/session.ts'
import type { Session } from '../api/session.ts'
import { useSignOut } from './use-sign-out.ts'
import { useText } from '../i18n/i18n.ts'
import { setPreferences } from '../preferences.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import type { MenuEntry } from '../ui/menu.tsx'

export default function PersonMenu({
  person,
  accounts,
}: {
  readonly person: NonNullable<Session['person']>
  readonly accounts: Session['accounts']
}) {
  const { t } = useText()
  const account = useAccount()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const others: MenuEntry[] = accounts.map(({ id, name }) => ({
    label: name,
    checked: id === account?.id,
    onSelect: () => setPreferences({ account: id }),
  }))
  return (
    <Menu
      label={t('shell.accountMenu')}
      trigger={(props) => <IconButton icon="person" label={t('shell.accountMenu')} {...props} />}
      header={
        <div className="px-3 pt-2 pb-1 text-sm text-faint">
          <div className="text-ink">{person.name}</div>
          <bdi dir="ltr">{person.email}</bdi>
        </div>
      }
      entries={[
        ...(accounts.length > 1 ? (['line', ...others, 'line'] as const) : []),
        { label: t('shell.settings'), icon: 'gear', onSelect: () => void navigate({ to: '/settings' }) },
        { label: t('shell.keys'), icon: 'key', onSelect: () => void navigate({ to: '/settings/keys' }) },
        ...(person.is_operator
          ? [
              {
                label: t('shell.operator'),
                icon: 'gauge' as const,
                onSelect: () => void navigate({ to: '/operator' }),
              },
            ]
          : []),
        'line',
        { label: t('shell.signOut'), icon: 'external', onSelect: () => void signOut() },
      ]}
    />
  )
}
