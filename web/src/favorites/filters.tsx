/** Which favorites are shown: by words, by tag, those that are watched, those that have changed. */
import { useText } from '../i18n/i18n.ts'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icon.tsx'
import { SearchBox } from '../ui/search-box.tsx'

export interface Chosen {
  readonly q: string
  readonly tag: string
  readonly watched: boolean
  readonly changed: boolean
}

export const NOTHING_CHOSEN: Chosen = { q: '', tag: '', watched: false, changed: false }

export const isFiltered = ({ q, tag, watched, changed }: Chosen): boolean =>
  q !== '' || tag !== '' || watched || changed

export function Filters({
  chosen,
  tags,
  changedCount,
  onChange,
}: {
  readonly chosen: Chosen
  readonly tags: readonly string[]
  readonly changedCount: number
  readonly onChange: (chosen: Chosen) => void
}) {
  const { t } = useText()
  return (
    <div role="search" className="mb-6 grid gap-3">
      <SearchBox label={t('favorites.search')} value={chosen.q} onChange={(q) => onChange({ ...chosen, q })} />
      <div role="group" aria-label={t('favorites.filters')} className="flex flex-wrap gap-2">
        {(changedCount > 0 || chosen.changed) && (
          <Chip
            icon="bell"
            isOn={chosen.changed}
            label={t('favorites.onlyChanged', { count: changedCount })}
            onToggle={(changed) => onChange({ ...chosen, changed })}
          />
        )}
        <Chip
          icon="eye"
          isOn={chosen.watched}
          label={t('favorites.onlyWatched')}
          onToggle={(watched) => onChange({ ...chosen, watched })}
        />
        {tags.map((tag) => (
          <Chip
            key={tag}
            icon="tag"
            isOn={chosen.tag === tag}
            label={tag}
            onToggle={(isOn) => onChange({ ...chosen, tag: isOn ? tag : '' })}
          />
        ))}
      </div>
    </div>
  )
}

function Chip({
  label,
  icon,
  isOn,
  onToggle,
}: {
  readonly label: string
  readonly icon: IconName
  readonly isOn: boolean
  readonly onToggle: (isOn: boolean) => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => onToggle(!isOn)}
      className="inline-flex min-h-9 items-center gap-1.5 rounded-full border border-edge bg-card px-3 text-sm hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-strong"
    >
      <Icon name={isOn ? 'check' : icon} size={16} />
      <bdi>{label}</bdi>
    </button>
  )
}
