/** Said as long as it is so. */
import { useText } from '../i18n/i18n.ts'
import { useOnline } from '../ui/online.ts'

export function OfflineNote() {
  const { t } = useText()
  const online = useOnline()
  return (
    <div role="status">
      {!online && <p className="bg-sale-soft px-6 py-2 text-center text-sale">{t('shell.offlineNote')}</p>}
    </div>
  )
}
