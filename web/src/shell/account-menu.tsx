/** The account menu in the header: a sign-in link, or the menu of the person and the current account. */
import { Link } from '@tanstack/react-router'
import { useSession } from '../api/session.ts'
import { useText } from '../i18n/i18n.ts'
import { lazyPart } from '../later.ts'
import { buttonClass } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'

const PersonMenu = lazyPart(() => import('./person-menu.tsx'))

export function AccountMenu() {
  const { t } = useText()
  const { person, accounts } = useSession()
  if (person) return <PersonMenu person={person} accounts={accounts} />
  return (
    <Link to="/welcome" className={classes(buttonClass('plain', true), 'shrink-0 whitespace-nowrap')}>
      {t('shell.signIn')}
    </Link>
  )
}
