/** Said as long as it is so. */
import { useSyncExternalStore } from 'react'
import { useText } from '../i18n/i18n.ts'

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

export function OfflineNote() {
  const { t } = useText()
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status">
      {!online && <p className="bg-sale-soft px-6 py-2 text-center text-sale">{t('shell.offlineNote')}</p>}
    </div>
  )
}
