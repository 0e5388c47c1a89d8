/** Fewer names than wanted: why, and what would bring more. */
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Asked } from '../asked.ts'
import { chosenOf } from '../filters/chosen.ts'
import { isFiltered, withoutFilters } from '../filters/is-filtered.ts'
import type { Search } from '../search-store.ts'

const WHY = {
  no_more_names: 'search.shortNoMore',
  deadline: 'search.shortDeadline',
  max_price: 'search.shortPrice',
  restricted: 'search.verdictRestricted',
  availability_unknown: 'search.shortUnknown',
} as const

export function Shortfall({
  search: { shortfall },
  asked,
  onChange,
}: {
  readonly search: Search
  readonly asked: Asked
  readonly onChange: (asked: Asked) => void
}) {
  const { t } = useText()
  const format = useFormat()
  if (!shortfall) return null
  const filters = chosenOf(asked, t, format)
    .map(({ label }) => label)
    .join(' · ')
  const why = shortfall.reason === 'no_more_names' && filters !== '' ? 'search.noneFiltered' : WHY[shortfall.reason]
  return (
    <Notice
      title={t('search.shortTitle', { returned: shortfall.returned, wanted: shortfall.wanted })}
      action={
        isFiltered(asked) && (
          <Button small onClick={() => onChange(withoutFilters(asked))}>
            {t('search.resetFilters')}
          </Button>
        )
      }
    >
      {shortfall.retry_after === undefined
        ? t(why, { filters })
        : t('search.shortBudget', { seconds: shortfall.retry_after })}
    </Notice>
  )
}
