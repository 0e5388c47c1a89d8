/** A name as large as its place allows, in its own face, with what is known of its domain. */
import type { CSSProperties } from 'react'
import type { ShareItem } from '../api/shares.ts'
import { knownStateOf, StateBadge } from '../favorites/state-badge.tsx'
import { moodOf } from '../search/moods/mood.ts'
import { watchSeen } from '../search/moods/seen.ts'
import { emsOf } from '../search/moods/widths.ts'
import { MinimumTerm } from '../search/results/minimum-term.tsx'
import { Ltr } from '../ui/layout.tsx'
import '../search/moods/moods.css'
import '../search/results/tile.css'

export function NameFace({ id, item }: { readonly id: string; readonly item: ShareItem }) {
  const mood = moodOf(item.name)
  return (
    <div className="grid gap-3">
      <h2 id={id} className="tile-name overflow-hidden text-center">
        <span style={{ '--ems': emsOf(item.name, mood) } as CSSProperties} className="block">
          <bdi ref={watchSeen} translate="no" data-mood={mood} className="mood">
            {item.name}
          </bdi>
        </span>
      </h2>
      <DomainLine item={item} className="justify-center" />
      {item.note !== null && item.note !== '' && (
        <p className="border-s-2 border-line ps-3 whitespace-pre-line text-faint">
          <bdi>{item.note}</bdi>
        </p>
      )}
    </div>
  )
}

export function DomainLine({ item, className = '' }: { readonly item: ShareItem; readonly className?: string }) {
  return (
    <p className={`flex flex-wrap items-center gap-x-3 gap-y-1 ${className}`}>
      <Ltr className="font-mono">{item.domain}</Ltr>
      <StateBadge state={knownStateOf(item)} />
      {item.price !== null && (
        <span className="text-faint tabular-nums">
          <Ltr>{item.price}</Ltr> <MinimumTerm years={item.term_years} />
        </span>
      )}
    </p>
  )
}
