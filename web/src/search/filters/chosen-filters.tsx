/** The filters that are set, as chips that can be taken away. */
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Asked } from '../asked.ts'
import { chosenOf } from './chosen.ts'
import type { Chosen } from './chosen.ts'
import { withoutFilters } from './is-filtered.ts'

export default function ChosenFilters({
  asked,
  onChange,
}: {
  readonly asked: Asked
  readonly onChange: (asked: Asked) => void
}) {
  const { t } = useText()
  const format = useFormat()
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
    <ul
      id="chosen"
      aria-label={t('search.chosen')}
      className="flex items-center gap-2 relative max-sm:-my-1 max-sm:min-w-0 max-sm:flex-1 max-sm:overflow-x-auto max-sm:whitespace-nowrap max-sm:py-1 sm:w-full sm:flex-wrap"
    >
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
