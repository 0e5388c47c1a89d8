/** All filters in a row; on a phone behind one button. What is chosen stays in sight either way, and can be taken away. */
import { lazy, Suspense, useState } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/layout.tsx'
import type { Asked } from '../asked.ts'
import { chosenOf, countFilters, withoutFilters } from './chosen.ts'
import type { Chosen } from './chosen.ts'
import { FilterPopover } from './filter-popover.tsx'

// Many search without any.
const Panel = lazy(() => import('./panels.tsx'))

const PANELS = [
  { label: 'search.filterSuffixes', keys: ['tlds', 'variants'], name: 'suffixes' },
  { label: 'search.filterLength', keys: ['min', 'max'], name: 'length' },
  { label: 'search.filterStyle', keys: ['styles'], name: 'style' },
  { label: 'search.filterWords', keys: ['with', 'without'], name: 'words' },
  { label: 'search.filterPrice', keys: ['price', 'currency'], name: 'price' },
  { label: 'search.filterLanguage', keys: ['language'], name: 'language' },
] as const

export function FilterBar({ asked, onChange }: { readonly asked: Asked; readonly onChange: (asked: Asked) => void }) {
  const { t } = useText()
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const count = countFilters(asked)
  const chosen = chosenOf(asked, t, format)
  const remove = ({ label, without }: Chosen) => {
    onChange(without)
    announce(t('search.removed', { filter: label }))
    requestAnimationFrame(focusNearby)
  }
  const reset = () => {
    onChange(withoutFilters(asked))
    requestAnimationFrame(focusNearby)
  }
  return (
    <div className="grid gap-3">
      <div className="sm:hidden">
        <Button
          small
          id="filters-toggle"
          icon="filter"
          aria-expanded={isOpen}
          aria-controls="filters"
          onClick={() => setOpen(!isOpen)}
        >
          {t('search.filters', { count })}
        </Button>
      </div>
      <div
        id="filters"
        role="group"
        aria-label={t('search.filterGroup')}
        tabIndex={-1}
        className={classes('flex flex-wrap gap-2 outline-none', !isOpen && 'max-sm:hidden')}
      >
        {PANELS.map(({ label, keys, name }) => (
          <FilterPopover
            key={label}
            label={t(label)}
            isSet={keys.some((key) => asked[key] !== undefined)}
            asked={asked}
            onApply={onChange}
          >
            {(draft, edit) => (
              <Suspense fallback={<Skeleton className="h-40" />}>
                <Panel of={name} draft={draft} edit={edit} />
              </Suspense>
            )}
          </FilterPopover>
        ))}
      </div>
      {chosen.length > 0 && (
        <ul id="chosen" aria-label={t('search.chosen')} className="flex flex-wrap items-center gap-2">
          {chosen.map((one) => (
            <li key={one.label}>
              <button
                type="button"
                onClick={() => remove(one)}
                className="inline-flex min-h-8 items-center gap-1.5 rounded-full bg-accent-soft px-3 text-sm text-accent-strong hover:bg-line"
              >
                <span className="sr-only">{t('search.remove')}</span>
                {one.label}
                <Icon name="close" size={14} />
              </button>
            </li>
          ))}
          <li>
            <Button kind="quiet" small onClick={reset}>
              {t('search.resetFilters')}
            </Button>
          </li>
        </ul>
      )}
    </div>
  )
}

/** What was pressed is gone: on to what is left of its row, else to where filters are chosen. */
function focusNearby(): void {
  const places = ['#chosen button', '#filters-toggle', '#filters button'].map((at) =>
    document.querySelector<HTMLElement>(at),
  )
  // Hidden ones have no box.
  places.find((place) => place !== null && place.getClientRects().length > 0)?.focus()
}
