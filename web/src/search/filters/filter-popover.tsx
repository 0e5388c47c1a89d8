/**
 * One filter: a button, and under it what can be chosen. Choosing changes a draft; the names are asked for anew when it is
 * closed, once, and only if something is different.
 */
import { useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { changed } from '../asked.ts'
import type { Asked } from '../asked.ts'

export type Edit = (change: Parameters<typeof changed>[1]) => void

export function FilterPopover({
  label,
  isSet,
  asked,
  onApply,
  children,
}: {
  readonly label: string
  readonly isSet: boolean
  readonly asked: Asked
  readonly onApply: (asked: Asked) => void
  readonly children: (draft: Asked, edit: Edit) => ReactNode
}) {
  const { t } = useText()
  const id = useId()
  const anchor = `--filter-${id.replaceAll(/\W/g, '')}`
  const box = useRef<HTMLDivElement>(null)
  const [draft, setDraft] = useState<Asked>()
  const apply = () => {
    if (draft && JSON.stringify(draft) !== JSON.stringify(asked)) onApply(changed(draft, { n: undefined }))
    setDraft(undefined)
  }
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        style={{ anchorName: anchor }}
        className={classes(
          'inline-flex min-h-9 items-center gap-1.5 rounded-full border px-3.5 text-sm transition-colors duration-150 max-sm:min-h-11',
          isSet ? 'border-accent bg-accent-soft text-accent-strong' : 'border-edge bg-card hover:bg-sunken',
        )}
      >
        {isSet && <Icon name="check" size={16} />}
        {label}
        <Icon name="down" size={14} />
      </button>
      <div
        ref={box}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        style={{ positionAnchor: anchor }}
        onToggle={({ newState }) => (newState === 'open' ? setDraft(asked) : apply())}
        className="menu sheet keep-below sm:w-96 sm:rounded-lg border border-line bg-card p-4 shadow-float"
      >
        {draft && (
          <form
            className="grid gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              box.current?.hidePopover()
            }}
          >
            {children(draft, (change) => setDraft(changed(draft, change)))}
            <div className="sticky -bottom-4 -mx-4 -mb-4 flex justify-end border-t border-line bg-card px-4 py-3">
              <Button kind="main" small type="submit">
                {t('search.filterDone')}
              </Button>
            </div>
          </form>
        )}
      </div>
    </>
  )
}
