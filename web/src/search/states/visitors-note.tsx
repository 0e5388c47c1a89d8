/** Where strangers may not search, this is said before they have written anything. */
import { Link } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

export function VisitorsNote() {
  const { t } = useText()
  const { person, visitor } = useSession()
  if (person || visitor) return null
  return (
    <Notice
      title={t('search.visitorsOffTitle')}
      action={
        <Link to="/welcome" className={buttonClass('main', true)}>
          {t('shell.signIn')}
        </Link>
      }
    >
      {t('search.visitorsOffText')}
    </Notice>
  )
}
