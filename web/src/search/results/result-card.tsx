/**
 * One name as a tile: the name, and one line about its best domain. Tools appear while the pointer or the focus is in it; a
 * press, a tap or Enter opens everything else (tile-details.tsx). Drawn again only when something of this very name changes.
 */
import { memo, useCallback, useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/button.tsx'
import { Heart } from '../actions/heart.tsx'
import { SayIt } from '../actions/say-it.tsx'
import { RegisterMenu } from '../register/register-menu.tsx'
import { bestOf } from '../result.ts'
import type { Result } from '../result.ts'
import { CompareToggle } from './compare-toggle.tsx'
import { TileDetails } from './tile-details.tsx'
import { TileLine } from './tile-line.tsx'
import { TileName } from './tile-name.tsx'
import './tile.css'

export interface CardProps {
  readonly result: Result
  readonly isLive: boolean
  readonly isFirst: boolean
  readonly language: string | undefined
  readonly onSteer: (name: string, towards: boolean) => void
}

export const ResultCard = memo(function ResultCard({ result, isLive, isFirst, language, onSteer }: CardProps) {
  const { t } = useText()
  const id = useId()
  const anchor = `--tile-${id.replaceAll(/\W/g, '')}`
  const { name, domains } = result
  const [shown, setShown] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const chosen = domains.find(({ domain }) => domain === shown) ?? bestOf(result, isLive)
  const open = useCallback(() => setOpen(true), [])
  const close = useCallback(() => setOpen(false), [])
  const onKeyDown = ({ key, target, currentTarget }: KeyboardEvent) => {
    if (key === 'Enter' && target === currentTarget) open()
  }
  return (
    <>
      <article
        data-result={name}
        tabIndex={isFirst ? 0 : -1}
        aria-labelledby={id}
        style={{ anchorName: anchor }}
        onKeyDown={onKeyDown}
        className="tile relative grid h-48 grid-cols-1 rounded-lg border border-line bg-card p-4 shadow-card"
      >
        <div className="tile-bar relative z-1 -me-2 -mt-2 flex min-h-11 items-center justify-end">
          <span className="tile-tools grow items-center justify-end">
            {chosen && (
              <span className="me-auto">
                <RegisterMenu domain={chosen} />
              </span>
            )}
            <SayIt name={name} language={language} />
            <CompareToggle result={result} />
            <IconButton icon="like" small label={t('search.moreLike', { name })} onClick={() => onSteer(name, true)} />
            <IconButton
              icon="unlike"
              small
              label={t('search.lessLike', { name })}
              onClick={() => onSteer(name, false)}
            />
          </span>
          {chosen && <Heart name={name} domain={chosen} small />}
        </div>
        <TileName id={id} name={name} isOpen={isOpen} onOpen={open} button={button} />
        {chosen ? <TileLine entry={chosen} isLive={isLive} /> : <span />}
      </article>
      {isOpen && chosen && (
        <TileDetails
          {...{ result, chosen, isLive, language, onSteer, anchor }}
          onChoose={setShown}
          onClose={close}
          opener={button}
        />
      )}
    </>
  )
})
