/**
 * What opens on Enter or a press in the grid: everything about one domain, or about the name, and what can be done with it.
 * It takes the focus, and gives it back to its cell.
 */
import type { DomainEntry } from '@namewright/client'
import { Suspense, useEffect, useRef } from 'react'
import { useSession } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/button.tsx'
import { DomainActions } from '../actions/domain-actions.tsx'
import { Heart } from '../actions/heart.tsx'
import { useVerdict } from '../actions/recheck.ts'
import { SayIt } from '../actions/say-it.tsx'
import type { Result } from '../result.ts'
import { CompareToggle } from './compare-toggle.tsx'
import { DomainFacts } from './domain-facts.tsx'
import { Handles, Sale } from './extras.ts'
import { Rationale } from './rationale.tsx'

export const GRID_ANCHOR = '--grid-cell'

export function GridDetails({
  result,
  entry,
  isLive,
  language,
  onSteer,
  onClose,
}: {
  readonly result: Result
  readonly entry: DomainEntry
  readonly isLive: boolean
  readonly language: string | undefined
  readonly onSteer: (name: string, towards: boolean) => void
  readonly onClose: () => void
}) {
  const { t } = useText()
  // Of made-up names nobody could say anything.
  const { sandbox } = useSession()
  const box = useRef<HTMLDivElement>(null)
  const known = useVerdict(entry)
  const { name, rationale } = result
  useEffect(() => {
    box.current?.showPopover()
    box.current?.querySelector<HTMLElement>('button')?.focus()
  }, [])
  return (
    <div
      ref={box}
      popover="auto"
      role="dialog"
      aria-label={t('search.detailsOf', { name })}
      data-result={name}
      style={{ positionAnchor: GRID_ANCHOR }}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
      className="menu sheet sm:w-80 sm:rounded-lg border border-line bg-card p-4 text-sm shadow-float"
    >
      <div className="grid gap-3">
        <div className="flex items-start justify-between gap-2">
          <p className="font-display text-xl font-semibold">
            <bdi translate="no">{name}</bdi>
          </p>
          <span className="-me-1.5 -mt-1 flex shrink-0">
            <SayIt name={name} language={language} />
            <CompareToggle result={result} />
            <Heart name={name} domain={entry} small />
          </span>
        </div>
        {rationale !== undefined && <Rationale text={rationale} className="text-faint" />}
        <DomainFacts entry={known} isLive={isLive} />
        {known.status === 'taken' && (
          <Suspense>
            <Sale key={known.domain} domain={known.domain} />
          </Suspense>
        )}
        {!sandbox && (
          <Suspense>
            <Handles name={name} domain={entry.domain} />
          </Suspense>
        )}
        <div className="flex flex-wrap items-center justify-between gap-2">
          <DomainActions name={name} domain={known} />
          <span className="-me-1.5 flex">
            <IconButton icon="like" small label={t('search.moreLike', { name })} onClick={() => onSteer(name, true)} />
            <IconButton
              icon="unlike"
              small
              label={t('search.lessLike', { name })}
              onClick={() => onSteer(name, false)}
            />
          </span>
        </div>
      </div>
    </div>
  )
}
