/** All filters in a row; on a phone behind one button. What is chosen stays in sight either way, and can be taken away. */
import { Suspense, useState } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { lazyPart } from '../../later.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Asked } from '../asked.ts'
import { FilterPopover } from './filter-popover.tsx'
import { countFilters, isFiltered } from './is-filtered.ts'

// Many search without any.
const Panel = lazyPart(() => import('./panels.tsx'))
const ChosenFilters = lazyPart(() => import('./chosen-filters.tsx'))

const PANELS = [
  { label: 'search.filterSuffixes', keys: ['tlds', 'country', 'variants'], name: 'suffixes' },
  { label: 'search.filterLength', keys: ['min', 'max'], name: 'length' },
  { label: 'search.filterStyle', keys: ['styles'], name: 'style' },
  { label: 'search.filterWords', keys: ['with', 'without'], name: 'words' },
  { label: 'search.filterPrice', keys: ['price', 'currency'], name: 'price' },
  { label: 'search.filterLanguage', keys: ['language'], name: 'language' },
] as const

export function FilterBar({ asked, onChange }: { readonly asked: Asked; readonly onChange: (asked: Asked) => void }) {
  const { t } = useText()
  const [isOpen, setOpen] = useState(false)
  const count = countFilters(asked)
  return (
    <div className="flex flex-wrap items-center gap-3">
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
        className={classes('flex w-full flex-wrap gap-2 outline-none', !isOpen && 'max-sm:hidden')}
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
      <Suspense fallback={<div className="min-h-9 w-full" />}>
        {isFiltered(asked) && <ChosenFilters asked={asked} onChange={onChange} />}
      </Suspense>
    </div>
  )
}
