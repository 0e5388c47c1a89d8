/** Above the names: how many there are, how they are looked at, and what can be taken along. */
import { useText } from '../../i18n/i18n.ts'
import { setPreferences, usePreferences } from '../../preferences.ts'
import { hasFreeCom, ORDERS } from '../arrange.ts'
import type { Look, Order } from '../arrange.ts'
import type { Asked } from '../asked.ts'
import { ExportMenu } from '../export/export-menu.tsx'
import type { Result } from '../result.ts'
import type { Search } from '../search-store.ts'
import { ShareButton } from '../share/share-button.tsx'
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
  look,
  onLook,
}: {
  readonly search: Search | undefined
  readonly shown: readonly Result[]
  readonly asked: Asked
  readonly look: Look
  readonly onLook: (look: Look) => void
}) {
  const { t } = useText()
  const { view } = usePreferences()
  const results = search?.results ?? []
  const isAsking = search === undefined || search.phase === 'asking'
  const coms = results.filter(hasFreeCom).length
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <h2 id="names" className="me-auto text-xl font-semibold">
        {results.length === 0
          ? t(isAsking ? 'search.looking' : 'search.noNamesYet')
          : shown.length < results.length
            ? t('search.countShown', { shown: shown.length, count: results.length })
            : t('search.count', { count: results.length })}
      </h2>
      {results.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <ToggleButton
            isOn={look.onlyFree}
            label={t('search.onlyFree')}
            onToggle={(onlyFree) => onLook({ ...look, onlyFree })}
          />
          {(coms > 0 || look.onlyCom) && (
            <ToggleButton
              isOn={look.onlyCom}
              label={t('search.onlyCom')}
              onToggle={(onlyCom) => onLook({ ...look, onlyCom })}
            />
          )}
          <label className="inline-flex items-center gap-2 text-sm">
            <span className="sr-only">{t('search.order')}</span>
            <select
              value={look.order}
              onChange={({ target }) => {
                const order = ORDERS.find((one) => one === target.value)
                if (order) onLook({ ...look, order })
              }}
              className="min-h-9 rounded-md border border-edge bg-card px-2 text-ink"
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
          <ShareButton asked={asked} />
          <ExportMenu results={shown} asked={asked} />
        </div>
      )}
    </div>
  )
}
