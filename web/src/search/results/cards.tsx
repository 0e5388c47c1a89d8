/** The names as cards. A card takes the focus at its name: arrows go from name to name, and Tab goes on to the tools of the card. */
import type { KeyboardEvent } from 'react'
import type { Result } from '../result.ts'
import { ResultCard } from './result-card.tsx'
import type { CardProps } from './result-card.tsx'
import { SkeletonCard } from './skeleton-card.tsx'

const NAME = '.tile-name > button'
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/** From one name to the one beside, or to the one above or below in the same column; not from the tools of a tile. */
function move(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  const names = [...event.currentTarget.querySelectorAll<HTMLElement>(NAME)]
  const at = names.findIndex((name) => name === event.target)
  if (step === undefined || at < 0 || event.altKey || event.ctrlKey || event.metaKey) return
  const isUpright = event.key === 'ArrowDown' || event.key === 'ArrowUp'
  const forwards = !isUpright && document.dir === 'rtl' ? step < 0 : step > 0
  const ahead = forwards ? names.slice(at + 1) : names.slice(0, at).toReversed()
  const leftOf = (name: HTMLElement | undefined) => name?.getBoundingClientRect().left
  const next = isUpright ? ahead.find((name) => leftOf(name) === leftOf(names[at])) : ahead[0]
  event.preventDefault()
  next?.focus()
}

export function Cards({
  results,
  missing,
  beside,
  ...rest
}: Omit<CardProps, 'result' | 'like'> & {
  readonly results: readonly Result[]
  /** How many are still to come: their places are shown. */
  readonly missing: number
  /** New names stand beside the one that they are like, among those that were there. */
  readonly beside: { readonly name: string; readonly earlier: readonly Result[] } | undefined
}) {
  const earlier = new Set(beside?.earlier.map(({ name }) => name))
  const isNew = ({ name }: Result) => beside !== undefined && !earlier.has(name)
  const cards = results.map((result) => (
    <ResultCard key={result.name} result={result} like={isNew(result) ? beside?.name : undefined} {...rest} />
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
