/** The name as large as its tile allows, in its own face. Pressed, it opens the details; its area is the whole tile. */
import type { CSSProperties, RefObject } from 'react'
import { moodOf } from '../moods/mood.ts'
import { watchSeen } from '../moods/seen.ts'
import { emsOf } from '../moods/widths.ts'
import '../moods/moods.css'

export function TileName({
  id,
  name,
  isOpen,
  onOpen,
  button,
}: {
  readonly id: string
  readonly name: string
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly button: RefObject<HTMLButtonElement | null>
}) {
  const mood = moodOf(name)
  return (
    <h3 id={id} className="tile-name flex items-center overflow-hidden rounded-sm">
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={onOpen}
        style={{ '--ems': emsOf(name, mood) } as CSSProperties}
        className="w-full text-start"
      >
        <bdi ref={watchSeen} translate="no" data-mood={mood} className="mood">
          {name}
        </bdi>
      </button>
    </h3>
  )
}
