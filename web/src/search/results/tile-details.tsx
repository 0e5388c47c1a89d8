/**
 * What opens from a tile: where the name comes from, all its domains with what is known of
 * the chosen one, and everything that can be done. Beside the tile on a desk, at the lower edge on a phone. It takes the
 * focus, and gives it back to its tile.
 */
import type { DomainEntry } from '@namewright/client'
import { Suspense, useEffect, useRef } from 'react'
import type { RefObject, ToggleEvent } from 'react'
import { useSession } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyDomain } from '../actions/copy-domain.tsx'
import { Heart } from '../actions/heart.tsx'
import { useVerdict } from '../actions/recheck.ts'
import { SayIt } from '../actions/say-it.tsx'
import { moodOf } from '../moods/mood.ts'
import { RegisterMenu } from '../register/register-menu.tsx'
import type { Result } from '../result.ts'
import { CompareToggle } from './compare-toggle.tsx'
import { DomainChip } from './domain-chip.tsx'
import { DomainFacts } from './domain-facts.tsx'
import { Handles, Sale } from './extras.ts'
import { partsOf } from './name-parts.ts'
import { Rationale } from './rationale.tsx'
import { Trap } from './trap.tsx'

/** Itself: the hints and the menu in it open and close as well. */
const isClosing = ({ newState, target, currentTarget }: ToggleEvent<HTMLElement>) =>
  newState === 'closed' && target === currentTarget

export function TileDetails({
  result,
  chosen,
  isLive,
  language,
  anchor,
  opener,
  onSteer,
  onLock,
  onChoose,
  onThings,
  onClose,
}: {
  readonly result: Result
  readonly chosen: DomainEntry
  readonly isLive: boolean
  readonly language: string | undefined
  readonly anchor: string
  /** Gets the focus back. */
  readonly opener: RefObject<HTMLElement | null>
  readonly onSteer: (name: string, towards: boolean) => void
  readonly onLock: (word: string) => void
  readonly onChoose: (domain: string) => void
  /** Shows the name on things, instead of this. */
  readonly onThings: () => void
  readonly onClose: () => void
}) {
  const { t } = useText()
  // Of made-up names nobody could say anything.
  const { sandbox } = useSession()
  const box = useRef<HTMLDivElement>(null)
  const known = useVerdict(chosen)
  const { name, rationale, domains } = result
  useEffect(() => {
    box.current?.showPopover()
    box.current?.focus()
  }, [])
  const parts = partsOf(name, rationale)
  const close = () => box.current?.hidePopover()
  const steer = (towards: boolean) => {
    close()
    onSteer(name, towards)
  }
  return (
    <div
      ref={box}
      popover="auto"
      role="dialog"
      tabIndex={-1}
      aria-label={t('search.detailsOf', { name })}
      data-result={name}
      style={{ positionAnchor: anchor }}
      onBeforeToggle={(event) => {
        if (isClosing(event) && event.currentTarget.contains(document.activeElement))
          opener.current?.focus({ preventScroll: true })
      }}
      onToggle={(event) => isClosing(event) && onClose()}
      className="menu sheet border border-line bg-card p-4 text-sm shadow-float focus:outline-none sm:w-96 sm:rounded-lg"
    >
      <div className="grid gap-3">
        <div className="flex items-start justify-between gap-2">
          <p data-mood={moodOf(name)} data-seen="" className="mood min-w-0 text-2xl leading-tight">
            <bdi translate="no">{name}</bdi>
          </p>
          <IconButton icon="close" small label={t('shell.close')} onClick={close} className="-me-2 -mt-1" />
        </div>
        {rationale !== undefined && <Rationale text={rationale} className="text-faint" />}
        <div>
          <Button
            small
            icon="eye"
            onClick={() => {
              close()
              onThings()
            }}
          >
            {t('things.open')}
          </Button>
        </div>
        {parts.length > 0 && (
          <div className="flex flex-wrap items-center gap-1.5">
            <span className="me-1 text-faint">{t('names.lockTitle')}</span>
            {parts.map((word) => (
              <Button
                key={word}
                small
                icon="lock"
                aria-label={t('names.lock', { word })}
                onClick={() => {
                  close()
                  onLock(word)
                }}
              >
                <bdi translate="no">{word}</bdi>
              </Button>
            ))}
          </div>
        )}
        <div role="group" aria-label={t('search.filterSuffixes')} className="flex flex-wrap gap-1.5">
          {domains.map((entry) => (
            <DomainChip
              key={entry.domain}
              entry={entry}
              isLive={isLive}
              isShown={entry === chosen}
              onShow={() => onChoose(entry.domain)}
            />
          ))}
        </div>
        <div className="grid gap-2 border-t border-line pt-3">
          <DomainFacts entry={known} isLive={isLive} />
          <Trap entry={known} />
        </div>
        {known.status === 'taken' && (
          <Suspense>
            <Sale key={known.domain} domain={known.domain} />
          </Suspense>
        )}
        {!sandbox && (
          <Suspense>
            <Handles name={name} domain={chosen.domain} />
          </Suspense>
        )}
        <div className="sticky -bottom-4 -mx-4 -mb-4 flex flex-wrap items-center gap-y-1 border-t border-line bg-card px-4 py-3">
          <span className="me-auto flex flex-wrap gap-2">
            <RegisterMenu domain={chosen} />
          </span>
          <span className="-me-2 flex">
            <CopyDomain domain={chosen} small />
            <SayIt name={name} language={language} />
            <CompareToggle result={result} />
            <IconButton icon="like" small label={t('search.moreLike', { name })} onClick={() => steer(true)} />
            <IconButton icon="unlike" small label={t('search.lessLike', { name })} onClick={() => steer(false)} />
            <Heart name={name} domain={chosen} small />
          </span>
        </div>
      </div>
    </div>
  )
}
