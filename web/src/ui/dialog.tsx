/**
 * A question or a form over the page: the browser's own dialog, which keeps the focus inside, closes on Escape and gives the
 * focus back. A press beside it closes it as well.
 */
import { useEffect, useId, useRef } from 'react'
import type { ReactNode } from 'react'
import { useText } from '../i18n/i18n.ts'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { Toasts } from './toast.tsx'

interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  readonly children?: ReactNode
  readonly wide?: boolean
  /** As wide as the page, for tables. */
  readonly widest?: boolean
  /** Only its own buttons close it: what it shows cannot be had again. */
  readonly mustDecide?: boolean
}

const FIRST_FIELD = ':is(input:not([type=hidden], [type=checkbox], [type=radio]), textarea):not([readonly], :disabled)'

export function Dialog({ open, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} /> : null
}

function OpenDialog({
  onClose,
  title,
  description,
  children,
  wide = false,
  widest = false,
  mustDecide = false,
}: Omit<DialogProps, 'open'>) {
  const { t } = useText()
  const id = useId()
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    dialog?.showModal()
    // A form starts with the focus in its first field; the browser would focus the close button.
    dialog?.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      aria-labelledby={`${id}-title`}
      aria-describedby={description === undefined ? undefined : `${id}-description`}
      onCancel={(event) => {
        event.preventDefault()
        if (!mustDecide) onClose()
      }}
      onPointerDown={(event) => {
        if (event.target === element.current && !mustDecide) onClose()
      }}
      className={classes('dialog', widest ? 'sm:max-w-[min(76rem,94vw)]' : wide ? 'sm:max-w-4xl' : 'sm:max-w-lg')}
    >
      {/* The dialog itself is what lies around its content: a press on it is one beside. */}
      <div className="grid grid-cols-1 gap-5 p-6">
        <div className="flex items-start justify-between gap-4">
          <h2 id={`${id}-title`} className="text-xl font-semibold">
            {title}
          </h2>
          {!mustDecide && (
            <IconButton icon="close" label={t('shell.close')} onClick={onClose} className="-me-2 -mt-1.5" />
          )}
        </div>
        {description !== undefined && (
          <div id={`${id}-description`} className="text-faint">
            {description}
          </div>
        )}
        {children}
      </div>
      <Toasts inDialog />
    </dialog>
  )
}

export function DialogActions({ children }: { readonly children: ReactNode }) {
  // In sight however long the form is; the dialog's own padding lies below it.
  return (
    <div className="sticky bottom-0 z-1 -mx-6 -mb-6 flex flex-wrap justify-end gap-3 border-t border-line bg-card px-6 py-4 max-sm:[&>*]:flex-1">
      {children}
    </div>
  )
}
