/** What is known of the cell under the pointer or the focus: one hint for the whole grid. */
import { useEffect, useRef } from 'react'
import type { DomainEntry } from '@namewright/client'
import { useVerdict } from '../actions/recheck.ts'
import { DomainFacts } from './domain-facts.tsx'

export const HINT_ANCHOR = '--grid-hint'

export function GridHint({
  id,
  entry,
  isLive,
}: {
  readonly id: string
  readonly entry: DomainEntry
  readonly isLive: boolean
}) {
  const box = useRef<HTMLDivElement>(null)
  const known = useVerdict(entry)
  useEffect(() => box.current?.showPopover(), [])
  return (
    <div
      ref={box}
      id={id}
      role="tooltip"
      popover="manual"
      style={{ positionAnchor: HINT_ANCHOR }}
      className="hint pointer-events-none max-w-80 rounded-md border border-line bg-card p-3 text-sm text-ink shadow-float"
    >
      <DomainFacts entry={known} isLive={isLive} />
    </div>
  )
}
