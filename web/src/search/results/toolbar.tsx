/** Above the names: their number, the view options and the export. */
import { useText } from '../../i18n/i18n.ts'
import { setPreferences, usePreferences } from '../../preferences.ts'
import { hasFreeCom, ORDERS } from '../arrange.ts'
import type { Order, ViewOptions } from '../arrange.ts'
import type { Asked } from '../asked.ts'
import { ExportMenu } from '../export/export-menu.tsx'
import type { Result } from '../result.ts'
import type { Search } from '../search-store.ts'
import { ShareButton } from '../share/share-button.tsx'
import { ShuffleButton } from './shuffle-button.tsx'
import { ToggleButton } from './toggle-button.tsx'

const ORDER_WORDS = {
  best: 'search.orderBest',
  price: 'search.orderPrice',
  length: 'search.orderLength',
  alphabet: 'search.orderAlphabet',
} as const satisfies Record<Order, string>

export function Toolbar({
  search,
  shown,
  asked,
  options,
  onOptions,
  hasNames,
  onShuffle,
}: {
  readonly search: Search | undefined
  readonly shown: readonly Result[]
  readonly asked: Asked
  readonly options: ViewOptions
  readonly onOptions: (options: ViewOptions) => void
  /** There are names, or others come in their places. */
  readonly hasNames: boolean
  readonly onShuffle: () => void
}) {
  const { t } = useText()
  const { view } = usePreferences()
  const results = search?.results ?? []
  const isAsking = search === undefined || search.phase === 'asking'
  const coms = results.filter(hasFreeCom).length
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      {/* Without names the notice below says it all. */}
      <h2
        id="names"
        tabIndex={-1}
        className={results.length === 0 && !isAsking ? 'sr-only' : 'me-auto text-xl font-semibold outline-none'}
      >
        {results.length === 0
          ? t(isAsking ? 'search.searching' : 'search.noNamesYet')
          : shown.length < results.length
            ? t('search.countShown', { shown: shown.length, count: results.length })
            : t('search.count', { count: results.length })}
      </h2>
      {hasNames && (
        // On a phone one row, which is moved sideways.
        <div className="-m-1 flex items-center gap-2 p-1 max-sm:w-full max-sm:overflow-x-auto max-sm:whitespace-nowrap sm:flex-wrap max-sm:[&>*]:shrink-0">
          <ToggleButton
            isOn={options.onlyFree}
            label={t('search.onlyFree')}
            onToggle={(onlyFree) => onOptions({ ...options, onlyFree })}
          />
          {(coms > 0 || options.onlyCom) && (
            <ToggleButton
              isOn={options.onlyCom}
              label={t('search.onlyCom')}
              onToggle={(onlyCom) => onOptions({ ...options, onlyCom })}
            />
          )}
          <label className="inline-flex items-center gap-2 text-sm">
            <span className="sr-only">{t('search.order')}</span>
            <select
              value={options.order}
              onChange={({ target }) => {
                const order = ORDERS.find((one) => one === target.value)
                if (order) onOptions({ ...options, order })
              }}
              className="min-h-9 rounded-md border border-edge bg-card px-2 pointer-coarse:min-h-11 text-ink"
            >
              {ORDERS.map((order) => (
                <option key={order} value={order}>
                  {t(ORDER_WORDS[order])}
                </option>
              ))}
            </select>
          </label>
          <div role="group" aria-label={t('search.view')} className="inline-flex gap-1">
            <ToggleButton
              isOn={view === 'cards'}
              icon="cards"
              label={t('search.viewCards')}
              onToggle={() => setPreferences({ view: 'cards' })}
            />
            <ToggleButton
              isOn={view === 'grid'}
              icon="grid"
              label={t('search.viewGrid')}
              onToggle={() => setPreferences({ view: 'grid' })}
            />
          </div>
          <ShuffleButton isWaiting={isAsking} onShuffle={onShuffle} />
          <ShareButton asked={asked} />
          <ExportMenu results={shown} asked={asked} />
        </div>
      )}
    </div>
  )
}
