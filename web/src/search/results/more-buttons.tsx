/**
 * Asks for further names, or for others. With further ones the focus waits at the last name that is there, and goes on to
 * the first new one; with others it stays here.
 */
import { useEffect, useRef } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import type { Asked } from '../asked.ts'
import { AskChat } from '../list/ask-chat.tsx'
import { ShuffleButton } from './shuffle-button.tsx'

const namesOf = (): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('article[data-result] .tile-name > button'),
]

export function MoreButtons({
  asked,
  count,
  isWaiting,
  onMore,
  onShuffle,
}: {
  readonly asked: Asked
  /** Of the names that are there. */
  readonly count: number
  readonly isWaiting: boolean
  /** Undefined where there are no more. */
  readonly onMore: (() => void) | undefined
  readonly onShuffle: () => void
}) {
  const { t } = useText()
  const before = useRef<ReadonlySet<HTMLElement>>(undefined)
  useEffect(() => {
    const known = before.current
    const first = known && namesOf().find((name) => !known.has(name))
    if (!first) return
    before.current = undefined
    // Who has gone elsewhere meanwhile stays there.
    if (![...known].some((name) => name === document.activeElement)) return
    first.focus({ preventScroll: true })
    first.closest('article')?.scrollIntoView({ block: 'nearest' })
  }, [count])
  const more = () => {
    // Rows of the grid are not in order in the page.
    const rows = [...document.querySelectorAll<HTMLElement>('[data-result][data-index]')]
    const lastRow = rows.toSorted((a, b) => Number(a.dataset['index']) - Number(b.dataset['index'])).at(-1)
    const names = namesOf()
    before.current = new Set(names)
    const last = lastRow?.querySelector<HTMLElement>('[role=rowheader]') ?? names.at(-1)
    last?.focus({ preventScroll: true })
    onMore?.()
  }
  return (
    <div className="flex flex-wrap items-center justify-center gap-3 pt-2">
      {onMore && (
        <Button icon="plus" aria-disabled={isWaiting || undefined} onClick={isWaiting ? undefined : more}>
          {t('search.more')}
        </Button>
      )}
      <ShuffleButton isWaiting={isWaiting} onShuffle={onShuffle} />
      <AskChat asked={asked} />
    </div>
  )
}
