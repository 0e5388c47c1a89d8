import { Link } from '@tanstack/react-router'
import { useText } from '../i18n/i18n.ts'
import { buttonClass } from '../ui/button.tsx'
import { Empty } from '../ui/layout.tsx'

export function NotFound() {
  const { t } = useText()
  return (
    <Empty
      as="h1"
      icon="search"
      title={t('shell.notFound')}
      action={
        <Link to="/" className={buttonClass('main')}>
          {t('shell.toSearch')}
        </Link>
      }
    >
      {t('shell.notFoundText')}
    </Empty>
  )
}
