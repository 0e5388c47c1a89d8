/** The last searches, to repeat with one press or to clear. */
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import type { Asked } from '../asked.ts'
import { DescriptionChips } from './description-chips.tsx'
import { forgetSearches } from './recent-store.ts'
import type { RecentSearch } from './recent-store.ts'

export function RecentSearches({
  recent,
  onRepeat,
}: {
  readonly recent: readonly RecentSearch[]
  readonly onRepeat: (asked: Asked) => void
}) {
  const { t } = useText()
  const clear = () => {
    // The button leaves with the searches.
    document.querySelector<HTMLElement>('form[role=search] textarea')?.focus()
    forgetSearches()
  }
  return (
    <section aria-labelledby="recent" className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3">
        <h2 id="recent" className="font-sans text-sm font-medium tracking-normal text-faint">
          {t('search.recent')}
        </h2>
        <Button kind="quiet" small onClick={clear}>
          {t('search.recentClear')}
        </Button>
      </div>
      <DescriptionChips
        chips={recent.map((search) => ({ id: search.d, description: search.d, search }))}
        onChoose={({ search }) => onRepeat(search)}
      />
      <p className="text-sm text-faint">{t('search.recentNote')}</p>
    </section>
  )
}
