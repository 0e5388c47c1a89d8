/**
 * One name as a tile: the name, and two lines about its best domain. Tools appear while the pointer or the focus is in it; a
 * press, a tap or Enter opens everything else (tile-details.tsx). Drawn again only when something of this very name changes.
 */
import { lazy, memo, Suspense, useCallback, useId, useRef, useState } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/button.tsx'
import { Heart } from '../actions/heart.tsx'
import { SayIt } from '../actions/say-it.tsx'
import { bestOf } from '../result.ts'
import type { Result } from '../result.ts'
import { CompareToggle } from './compare-toggle.tsx'
import { TileDetails } from './tile-details.tsx'
import { TileLine } from './tile-line.tsx'
import { TileName } from './tile-name.tsx'
import './tile.css'

// Of all names few are looked at so closely.
const ThingsDialog = lazy(() => import('../things/things-dialog.tsx'))

export interface CardProps {
  readonly result: Result
  readonly isLive: boolean
  readonly language: string | undefined
  /** It is here because it is like this name. */
  readonly like: string | undefined
  readonly onSteer: (name: string, towards: boolean) => void
  readonly onLock: (word: string) => void
}

export const ResultCard = memo(function ResultCard(props: CardProps) {
  const { result, isLive, language, like, onSteer, onLock } = props
  const { t } = useText()
  const id = useId()
  const anchor = `--tile-${id.replaceAll(/\W/g, '')}`
  const { name, domains } = result
  const [shown, setShown] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const [isOnThings, setOnThings] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const chosen = domains.find(({ domain }) => domain === shown) ?? bestOf(result, isLive)
  const open = useCallback(() => setOpen(true), [])
  const close = useCallback(() => setOpen(false), [])
  return (
    <>
      <article
        data-result={name}
        aria-labelledby={id}
        style={{ anchorName: anchor }}
        className="tile relative grid h-44 grid-cols-1 rounded-lg border border-line bg-card p-4 shadow-card pointer-coarse:h-46"
      >
        {like !== undefined && (
          <p className="tile-like absolute start-4 top-2 max-w-3/5 truncate text-sm text-faint">
            {t('search.chipLike', { name: like })}
          </p>
        )}
        <TileName id={id} name={name} isOpen={isOpen} onOpen={open} button={button} />
        <span className="tile-tools absolute end-2 top-2 z-1 rounded-md bg-card">
          <SayIt name={name} language={language} />
          <CompareToggle result={result} />
          <IconButton icon="like" small label={t('search.moreLike', { name })} onClick={() => onSteer(name, true)} />
          <IconButton icon="unlike" small label={t('search.lessLike', { name })} onClick={() => onSteer(name, false)} />
        </span>
        {chosen && (
          <TileLine entry={chosen} isLive={isLive}>
            <Heart name={name} domain={chosen} small />
          </TileLine>
        )}
      </article>
      {isOpen && chosen && (
        <TileDetails
          {...{ result, chosen, isLive, language, onSteer, onLock, anchor }}
          onChoose={setShown}
          onThings={() => setOnThings(true)}
          onClose={close}
          opener={button}
        />
      )}
      {isOnThings && chosen && (
        <Suspense>
          <ThingsDialog name={name} domain={chosen.domain} onClose={() => setOnThings(false)} />
        </Suspense>
      )}
    </>
  )
})
