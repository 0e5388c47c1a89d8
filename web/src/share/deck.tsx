/**
 * The names that one has not voted on yet, one at a time: swiped to the side, by the arrow keys, or by two buttons. Towards
 * the end of the line is a like, in either direction of writing.
 */
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { PointerEvent } from 'react'
import type { Ballot, Vote } from '../api/shares.ts'
import { useText } from '../i18n/i18n.ts'
import { announce } from '../ui/announcer.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { isTyping } from '../ui/is-typing.ts'
import { NameFace } from './name-face.tsx'

const FAR_PX = 96
const TURN =
  'inline-flex min-h-14 items-center justify-center gap-2 rounded-full border-2 px-3 font-semibold sm:px-6 sm:text-lg'

export function Deck({
  ballot: { share, mine },
  onVote,
}: {
  readonly ballot: Ballot
  readonly onVote: (item: string, vote: Vote | null) => void
}) {
  const { t, direction } = useText()
  const id = useId()
  const towardsLike = direction === 'rtl' ? -1 : 1
  const left = share.items.filter((item) => mine[item.id] === undefined)
  const [item] = left
  const last = useRef<string>(undefined)
  const turn = (vote: Vote) => {
    if (!item) return
    last.current = item.id
    onVote(item.id, vote)
    const next = left[1]
    announce(next ? t('share.next', { name: next.name, domain: next.domain }) : t('share.allDone'))
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const way = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const isForOthers =
      event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)
    if (way === 0 || isForOthers || document.querySelector('dialog[open], :popover-open')) return
    event.preventDefault()
    turn(way === towardsLike ? 'up' : 'down')
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  const swipe = useSwipe((way) => turn(way === towardsLike ? 'up' : 'down'))
  const undo = last.current !== undefined && mine[last.current] !== undefined && (
    <Button
      kind="quiet"
      icon="undo"
      onClick={() => {
        if (last.current !== undefined) onVote(last.current, null)
        last.current = undefined
      }}
    >
      {t('share.undo')}
    </Button>
  )
  if (!item)
    return (
      <div className="grid justify-items-center gap-2 rounded-lg border border-dashed border-line px-6 py-8 text-center">
        <p className="text-lg font-medium">{t('share.allDone')}</p>
        {undo}
      </div>
    )
  return (
    <section aria-label={t('share.deck')} className="grid gap-4">
      <article
        key={item.id}
        aria-labelledby={id}
        {...swipe.handlers}
        style={{
          transform: swipe.moved === 0 ? undefined : `translateX(${swipe.moved}px) rotate(${swipe.moved / 30}deg)`,
        }}
        className="grid min-h-56 touch-pan-y content-center rounded-lg border border-line bg-card p-6 shadow-card select-none sm:p-8"
      >
        <NameFace id={id} item={item} />
      </article>
      <div role="group" aria-labelledby={id} className="grid grid-cols-2 gap-3">
        <button type="button" onClick={() => turn('down')} className={`${TURN} border-edge bg-card hover:bg-sunken`}>
          <Icon name="close" />
          {t('share.pass')}
        </button>
        <button
          type="button"
          onClick={() => turn('up')}
          className={`${TURN} border-accent bg-accent text-on-accent hover:bg-accent-strong`}
        >
          <Icon name="heart" filled />
          {t('share.like')}
        </button>
      </div>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 text-faint">
        <p>{t('share.left', { count: left.length })}</p>
        {undo}
      </div>
    </section>
  )
}

/** How far the card was dragged; it counts when it is let go far enough out. */
function useSwipe(onSwipe: (way: 1 | -1) => void) {
  const [moved, setMoved] = useState(0)
  const from = useRef<number>(undefined)
  const end = (isMeant: boolean) => {
    if (isMeant && Math.abs(moved) >= FAR_PX) onSwipe(moved > 0 ? 1 : -1)
    from.current = undefined
    setMoved(0)
  }
  return {
    moved,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return
        from.current = event.clientX
        event.currentTarget.setPointerCapture(event.pointerId)
      },
      onPointerMove: ({ clientX }: PointerEvent) => {
        if (from.current !== undefined) setMoved(clientX - from.current)
      },
      onPointerUp: () => end(true),
      onPointerCancel: () => end(false),
    },
  }
}
