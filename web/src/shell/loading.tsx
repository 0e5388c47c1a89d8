/** The shape of a page that is on its way; after two seconds it says so. */
import { useEffect, useState } from 'react'
import { useText } from '../i18n/i18n.ts'
import { Skeleton } from '../ui/skeleton.tsx'

const PATIENCE_MS = 2_000

export function Loading() {
  const { t } = useText()
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div aria-busy="true" className="grid gap-4">
      <Skeleton className="h-9 w-64" />
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
      <p role="status" className="text-faint">
        {slow ? t('shell.stillLoading') : ''}
      </p>
    </div>
  )
}
