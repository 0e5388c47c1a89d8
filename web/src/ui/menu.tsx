/**
 * A button with a list of acts under it, as a popover of the browser: a press beside it or Escape closes it. Arrows move in
 * it, and so do Home and End.
 */
import { useId, useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'

export interface MenuEntry {
  readonly label: string
  readonly icon?: IconName
  readonly danger?: boolean
  readonly disabled?: boolean
  /** Chosen among others of its kind. */
  readonly checked?: boolean
  readonly onSelect: () => void
}

/** What makes a button open the menu; to be spread over it. */
export interface TriggerProps {
  readonly popoverTarget: string
  readonly 'aria-haspopup': 'menu'
  readonly style: { readonly anchorName: string }
}

export function Menu({
  trigger,
  entries,
  header,
  label,
}: {
  readonly trigger: (props: TriggerProps) => ReactNode
  readonly entries: readonly (MenuEntry | 'line')[]
  readonly header?: ReactNode
  /** The accessible name of the list. */
  readonly label: string
}) {
  const id = useId()
  const anchor = `--menu-${id.replaceAll(/\W/g, '')}`
  const list = useRef<HTMLDivElement>(null)
  const items = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]:not([disabled])') ?? [])]
  const move = (event: KeyboardEvent) => {
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    all.at(to % all.length)?.focus()
  }
  return (
    <>
      {trigger({ popoverTarget: id, 'aria-haspopup': 'menu', style: { anchorName: anchor } })}
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        style={{ positionAnchor: anchor }}
        onKeyDown={move}
        onToggle={({ newState }) => newState === 'open' && items()[0]?.focus()}
        className="menu min-w-56 rounded-lg border border-line bg-card p-1.5 shadow-float"
      >
        {header}
        {entries.map((entry, index) =>
          entry === 'line' ? (
            <div key={`line-${index}`} role="separator" className="my-1.5 h-px bg-line" />
          ) : (
            <button
              key={entry.label}
              type="button"
              role={entry.checked === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked={entry.checked}
              tabIndex={-1}
              disabled={entry.disabled ?? false}
              onClick={() => {
                list.current?.hidePopover()
                entry.onSelect()
              }}
              className={`flex min-h-11 w-full items-center gap-3 rounded-md px-3 text-start hover:bg-sunken focus:bg-sunken focus:outline-none focus-visible:outline-2 disabled:opacity-55 ${entry.danger ? 'text-wrong' : ''}`}
            >
              {entry.checked !== undefined && (
                <Icon name="check" size={18} className={entry.checked ? '' : 'invisible'} />
              )}
              {entry.icon && <Icon name={entry.icon} size={18} />}
              {entry.label}
            </button>
          ),
        )}
      </div>
    </>
  )
}
