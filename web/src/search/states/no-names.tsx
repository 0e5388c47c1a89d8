/** Nothing at all: said at once, with what to loosen, or that nothing can be checked just now. */
import { useSession } from '../../api/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/layout.tsx'
import { changed, newSeed } from '../asked.ts'
import type { Asked } from '../asked.ts'
import { chosenOf } from '../filters/chosen.ts'
import { isFiltered, withoutFilters } from '../filters/is-filtered.ts'
import type { Search } from '../search-store.ts'

export function NoNames({
  search,
  asked,
  onChange,
}: {
  readonly search?: Search
  readonly asked: Asked
  readonly onChange: (asked: Asked) => void
}) {
  const { t } = useText()
  const { person } = useSession()
  const format = useFormat()
  const filters = chosenOf(asked, t, format)
    .map(({ label }) => label)
    .join(' · ')
  const hasFilters = isFiltered(asked)
  const retryAfter = search?.shortfall?.retry_after
  const isUnchecked = search?.shortfall?.reason === 'availability_unknown' && retryAfter === undefined
  const isLate = search?.shortfall?.reason === 'deadline' || search?.shortfall?.reason === 'availability_unknown'
  return (
    <Empty
      icon={isUnchecked ? 'warn' : 'search'}
      title={t(isUnchecked ? 'search.uncheckedTitle' : 'search.noneTitle')}
      action={
        isLate ? (
          <Button kind="main" icon="refresh" onClick={() => onChange(changed(asked, { seed: newSeed() }))}>
            {t('shell.tryAgain')}
          </Button>
        ) : (
          hasFilters && (
            <Button icon="undo" onClick={() => onChange(withoutFilters(asked))}>
              {t('search.resetFilters')}
            </Button>
          )
        )
      }
    >
      {retryAfter === undefined
        ? t(textOf(isUnchecked, isLate, hasFilters), { filters })
        : t('search.shortBudget', { seconds: retryAfter })}
      {isUnchecked && person?.is_operator && ` ${t('search.uncheckedOperator')}`}
    </Empty>
  )
}

function textOf(isUnchecked: boolean, isLate: boolean, hasFilters: boolean) {
  if (isUnchecked) return 'search.uncheckedText'
  if (isLate) return 'search.noneLate'
  return hasFilters ? 'search.noneFiltered' : 'search.noneText'
}
