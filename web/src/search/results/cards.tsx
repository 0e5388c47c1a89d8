/** The names as cards. Tab comes to one of them; arrows go from card to card, and Tab goes on into its buttons. */
import type { KeyboardEvent } from 'react'
import type { Result } from '../result.ts'
import { ResultCard } from './result-card.tsx'
import type { CardProps } from './result-card.tsx'
import { SkeletonCard } from './skeleton-card.tsx'

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/** Of the tile itself and of its name, not of its tools. */
function tileOf(target: EventTarget): HTMLElement | undefined {
  if (!(target instanceof HTMLElement) || !target.matches('article, .tile-name > *')) return undefined
  return target.closest<HTMLElement>('article') ?? undefined
}

/** To the card beside, or to the one above or below in the same column. */
function move(event: KeyboardEvent<HTMLElement>): void {
  const from = tileOf(event.target)
  const step = STEPS[event.key]
  if (step === undefined || !from || event.altKey || event.ctrlKey || event.metaKey) return
  const isUpright = event.key === 'ArrowDown' || event.key === 'ArrowUp'
  const forwards = !isUpright && document.dir === 'rtl' ? step < 0 : step > 0
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>('article')]
  const at = cards.indexOf(from)
  const ahead = forwards ? cards.slice(at + 1) : cards.slice(0, at).toReversed()
  const next = isUpright ? ahead.find((card) => card.offsetLeft === from.offsetLeft) : ahead[0]
  event.preventDefault()
  next?.focus()
}

export function Cards({
  results,
  missing,
  beside,
  ...rest
}: Omit<CardProps, 'result' | 'isFirst' | 'like'> & {
  readonly results: readonly Result[]
  /** How many are still to come: their places are shown. */
  readonly missing: number
  /** New names stand beside the one that they are like, among those that were there. */
  readonly beside: { readonly name: string; readonly earlier: readonly Result[] } | undefined
}) {
  const earlier = new Set(beside?.earlier.map(({ name }) => name))
  const isNew = ({ name }: Result) => beside !== undefined && !earlier.has(name)
  const cards = results.map((result, index) => (
    <ResultCard
      key={result.name}
      result={result}
      isFirst={index === 0}
      like={isNew(result) ? beside?.name : undefined}
      {...rest}
    />
  ))
  const from = beside ? results.findIndex(({ name }) => name === beside.name) : -1
  const places = Array.from({ length: missing }, (_, index) => <SkeletonCard key={index} />)
  const at = from < 0 ? cards.length : from + 1 + results.filter(isNew).length
  return (
    <div onKeyDown={move} className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
      {cards.toSpliced(at, 0, ...places)}
    </div>
  )
}
