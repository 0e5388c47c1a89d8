/** Nothing at all: said at once, with what to loosen. */
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/layout.tsx'
import { changed, newSeed } from '../asked.ts'
import type { Asked } from '../asked.ts'
import { isFiltered, withoutFilters } from '../filters/chosen.ts'
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
  const hasFilters = isFiltered(asked)
  const isLate = search?.shortfall?.reason === 'deadline' || search?.shortfall?.reason === 'availability_unknown'
  return (
    <Empty
      icon="search"
      title={t('search.noneTitle')}
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
      {t(isLate ? 'search.noneLate' : hasFilters ? 'search.noneFiltered' : 'search.noneText')}
    </Empty>
  )
}
