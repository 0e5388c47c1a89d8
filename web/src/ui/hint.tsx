/**
 * More about something, on hover, on focus and on a tap. Escape closes it, and the pointer may move onto it. Screen
 * readers announce it as the description of its trigger. Nothing that is required to understand the page is only here.
 */
import { useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'

/** To be spread over the button or link that it is about. */
export interface HintedProps {
  readonly 'aria-describedby': string
  readonly style: { readonly anchorName: string }
}

const PATIENCE_MS = 250

export function Hint({
  children,
  about,
  lazy = false,
}: {
  readonly about: (props: HintedProps) => ReactNode
  readonly children: ReactNode
  /** Made only when it is shown: for places where there are hundreds. */
  readonly lazy?: boolean
}) {
  const id = useId()
  const anchor = `--hint-${id.replaceAll(/\W/g, '')}`
  const box = useRef<HTMLDivElement>(null)
  const [isMade, setMade] = useState(!lazy)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const later = (run: () => void) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(run, PATIENCE_MS)
  }
  const show = () => {
    setMade(true)
    if (box.current && !box.current.matches(':popover-open')) box.current.showPopover()
  }
  const hide = () => {
    clearTimeout(timer.current)
    if (box.current?.matches(':popover-open')) box.current.hidePopover()
  }
  return (
    <span
      className="contents"
      onPointerEnter={() => later(show)}
      onPointerLeave={() => later(hide)}
      onFocus={show}
      onBlur={hide}
      onClick={show}
      onKeyDown={({ key }) => key === 'Escape' && hide()}
    >
      {about({ 'aria-describedby': id, style: { anchorName: anchor } })}
      <div
        ref={box}
        id={id}
        role="tooltip"
        popover="manual"
        style={{ positionAnchor: anchor }}
        className="hint max-w-80 rounded-md border border-line bg-card p-3 text-sm text-ink shadow-float"
      >
        {isMade && children}
      </div>
    </span>
  )
}
