/** The names as cards. Tab comes to one of them; arrows go from card to card, and Tab goes on into its buttons. */
import type { KeyboardEvent } from 'react'
import type { Result } from '../result.ts'
import { ResultCard } from './result-card.tsx'
import type { CardProps } from './result-card.tsx'
import { SkeletonCard } from './skeleton-card.tsx'

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

function move(event: KeyboardEvent<HTMLElement>): void {
  const from = event.target as HTMLElement
  const step = STEPS[event.key]
  if (step === undefined || from.tagName !== 'ARTICLE' || event.altKey || event.ctrlKey || event.metaKey) return
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>('article')]
  const isTurned = event.key !== 'ArrowDown' && event.key !== 'ArrowUp' && document.dir === 'rtl'
  const next = cards[cards.indexOf(from) + (isTurned ? -step : step)]
  event.preventDefault()
  next?.focus()
}

export function Cards({
  results,
  missing,
  ...rest
}: Omit<CardProps, 'result' | 'isFirst'> & {
  readonly results: readonly Result[]
  /** How many are still to come: their places are shown. */
  readonly missing: number
}) {
  return (
    <div onKeyDown={move} className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
      {results.map((result, index) => (
        <ResultCard key={result.name} result={result} isFirst={index === 0} {...rest} />
      ))}
      {Array.from({ length: missing }, (_, index) => (
        <SkeletonCard key={index} />
      ))}
    </div>
  )
}
