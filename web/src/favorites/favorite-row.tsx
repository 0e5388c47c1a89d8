/** One favorite: what it is, how it stands now, what was written about it, and what can be done with it. */
import type { Favorite } from '@namewright/client'
import { useId, useMemo, useState } from 'react'
import { useChangeFavorite } from '../api/favorites.ts'
import { useText } from '../i18n/i18n.ts'
import { DomainActions } from '../search/actions/domain-actions.tsx'
import { useVerdict } from '../search/actions/recheck.ts'
import { IconButton } from '../ui/button.tsx'
import { Ltr } from '../ui/layout.tsx'
import { Switch } from '../ui/switch.tsx'
import { ChangedBadge } from './changed-badge.tsx'
import { entryOf } from './entry-of.ts'
import { CheckAgain } from './check-again.tsx'
import { Note } from './note.tsx'
import { StateNow } from './state-now.tsx'
import { Tags } from './tags.tsx'
import { Timeline } from './timeline.tsx'

export function FavoriteRow({
  favorite,
  knownTags,
  isChanged,
  isChosen,
  mayChange,
  onChoose,
  onDelete,
}: {
  readonly favorite: Favorite
  readonly knownTags: readonly string[]
  /** Since the last visit. */
  readonly isChanged: boolean
  readonly isChosen: boolean
  readonly mayChange: boolean
  readonly onChoose: (chosen: boolean) => void
  readonly onDelete: () => void
}) {
  const { t } = useText()
  const id = useId()
  const [open, setOpen] = useState(false)
  const { mutate: change } = useChangeFavorite(favorite.id)
  const entry = useVerdict(useMemo(() => entryOf(favorite), [favorite]))
  const { name, domain, tags, note, watch } = favorite
  return (
    <article
      aria-labelledby={`${id}-name`}
      data-favorite={favorite.id}
      tabIndex={-1}
      className={`grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-3 rounded-lg border bg-card p-5 shadow-card lg:grid-cols-[auto_minmax(0,1fr)_13rem_18.5rem] lg:grid-rows-[auto_1fr] lg:gap-x-6 ${isChosen ? 'border-accent outline-1 outline-accent' : 'border-line'}`}
    >
      {mayChange ? (
        <input
          type="checkbox"
          aria-label={t('favorites.choose', { domain })}
          checked={isChosen}
          onChange={({ target }) => onChoose(target.checked)}
          className="mt-1 size-6 accent-accent"
        />
      ) : (
        <span />
      )}
      <div className="lg:col-start-2 lg:row-start-1">
        <h2 id={`${id}-name`} className="text-2xl font-semibold">
          <Ltr>{name}</Ltr>
        </h2>
        <Ltr className="font-mono text-[0.95rem] text-faint">{domain}</Ltr>
      </div>
      <div className="col-start-2 lg:col-start-3 lg:row-span-2 lg:row-start-1">
        <StateNow entry={entry} saved={favorite.saved} termYears={favorite.term_years} />
      </div>
      <div className="col-start-2 flex flex-wrap content-start items-center gap-x-1.5 gap-y-2 lg:row-start-2">
        {isChanged && (
          <div className="basis-full">
            <ChangedBadge id={favorite.id} />
          </div>
        )}
        <Note note={note} onChange={mayChange ? (text) => change({ note: text }) : undefined} />
        <Tags tags={tags} known={knownTags} onChange={mayChange ? (next) => change({ tags: next }) : undefined} />
      </div>
      <div className="col-start-2 grid content-start gap-3 lg:col-start-4 lg:row-span-2 lg:row-start-1">
        {mayChange && (
          <div className="justify-self-start lg:justify-self-end">
            <Switch label={t('favorites.watch')} checked={watch} onChange={(on) => change({ watch: on })} />
          </div>
        )}
        <div className="-ms-2 flex flex-wrap items-center gap-1 lg:-me-2 lg:justify-end">
          <DomainActions name={name} domain={entry} />
          <CheckAgain entry={entry} />
          <IconButton
            icon="clock"
            label={t('favorites.timeline')}
            aria-expanded={open}
            aria-controls={`${id}-timeline`}
            onClick={() => setOpen(!open)}
          />
          {mayChange && <IconButton icon="trash" label={t('favorites.delete', { domain })} onClick={onDelete} />}
        </div>
      </div>
      <div id={`${id}-timeline`} hidden={!open} className="col-span-full border-t border-line pt-4">
        {open && <Timeline favorite={favorite} />}
      </div>
    </article>
  )
}
