/** On every page of a service whose domains and prices are made up. It cannot be closed. */
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'
import { useText } from '../i18n/i18n.ts'

export function SandboxNote() {
  const { t } = useText()
  const { data } = useQuery(sessionQuery)
  if (!data?.sandbox) return null
  return (
    <aside>
      <p className="bg-sale-soft px-6 py-2 text-center font-medium text-sale">{t('shell.sandbox')}</p>
    </aside>
  )
}
