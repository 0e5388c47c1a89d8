/** How many names are ready of those wanted. After two seconds it says what it waits for; offline, that it does. */
import { useEffect, useState } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { useOnline } from '../../ui/online.ts'
import { shownStateOf } from '../results/state.ts'
import type { Search } from '../search-store.ts'

const PATIENCE_MS = 2_000

export function Progress({ search }: { readonly search: Search }) {
  const { t } = useText()
  const isOnline = useOnline()
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  const { results, wanted } = search
  const isReady = ({ domains }: Search['results'][number]) =>
    domains.every((one) => shownStateOf(one, true) !== 'checking')
  const ready = Math.min(wanted, results.filter(isReady).length)
  return (
    <div className="absolute inset-x-0 top-full mt-0.5 grid">
      <div
        role="progressbar"
        aria-label={t('search.progress')}
        aria-valuemin={0}
        aria-valuemax={wanted}
        aria-valuenow={ready}
        className="h-0.5 overflow-hidden rounded-full bg-line"
      >
        <div
          className="h-full w-full origin-[0_50%] bg-accent transition-transform duration-200 rtl:origin-[100%_50%]"
          style={{ transform: `scaleX(${wanted === 0 ? 0 : ready / wanted})` }}
        />
      </div>
      <p className="truncate text-xs leading-4 text-faint">
        {!isOnline
          ? t('search.waitingOffline')
          : isSlow
            ? t(results.length === 0 ? 'search.slowNames' : 'search.slowRegistries')
            : ''}
      </p>
    </div>
  )
}
