/** A label, something to fill in, a hint, and what is wrong with it: tied together for those who hear the page. */
import { useId } from 'react'
import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { classes } from './classes.ts'

interface Around {
  readonly label: string
  readonly hint?: ReactNode
  readonly wrong?: string | undefined
  readonly className?: string
  /** The label is heard but not seen. */
  readonly hideLabel?: boolean
}

export const CONTROL =
  'block w-full min-h-11 rounded-md border border-edge bg-card px-3 py-2 text-ink text-base ' +
  'aria-invalid:border-2 aria-invalid:border-wrong [&[readonly]]:bg-sunken disabled:opacity-60'

function Frame({
  id,
  label,
  hint,
  wrong,
  className,
  hideLabel,
  children,
}: Around & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className={classes('grid gap-1.5', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'font-medium'}>
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <div id={`${id}-hint`} className="text-sm text-faint">
          {hint}
        </div>
      )}
      {wrong !== undefined && (
        <p id={`${id}-wrong`} className="text-sm text-wrong">
          {wrong}
        </p>
      )}
    </div>
  )
}

function describedBy(id: string, { hint, wrong }: Around): string | undefined {
  return (
    [hint === undefined ? '' : `${id}-hint`, wrong === undefined ? '' : `${id}-wrong`].filter(Boolean).join(' ') ||
    undefined
  )
}

export function TextField({
  label,
  hint,
  wrong,
  className,
  hideLabel,
  inside,
  ...rest
}: Around & {
  /** A button at the end of the field, such as the one that shows a password. */
  readonly inside?: ReactNode
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'className'>) {
  const id = useId()
  const around = { label, hint, wrong, className, hideLabel }
  return (
    <Frame id={id} {...definedOf(around)} label={label}>
      {/* The field may run in another direction than the page, and its end with it. */}
      <div dir={rest.dir} className="relative">
        <input
          id={id}
          aria-invalid={wrong !== undefined || undefined}
          aria-describedby={describedBy(id, { label, hint, ...(wrong === undefined ? {} : { wrong }) })}
          {...rest}
          className={classes(CONTROL, inside !== undefined && 'pe-12')}
        />
        {inside !== undefined && <div className="absolute inset-y-0 end-0.5 flex items-center">{inside}</div>}
      </div>
    </Frame>
  )
}

export function TextArea({
  label,
  hint,
  wrong,
  className,
  hideLabel,
  ...rest
}: Around & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className'>) {
  const id = useId()
  return (
    <Frame id={id} {...definedOf({ hint, wrong, className, hideLabel })} label={label}>
      <textarea
        id={id}
        aria-invalid={wrong !== undefined || undefined}
        aria-describedby={describedBy(id, { label, hint, ...(wrong === undefined ? {} : { wrong }) })}
        {...rest}
        className={classes(CONTROL, 'min-h-24')}
      />
    </Frame>
  )
}

export function SelectField({
  label,
  hint,
  wrong,
  className,
  hideLabel,
  children,
  ...rest
}: Around & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className'>) {
  const id = useId()
  return (
    <Frame id={id} {...definedOf({ hint, wrong, className, hideLabel })} label={label}>
      <select
        id={id}
        aria-invalid={wrong !== undefined || undefined}
        aria-describedby={describedBy(id, { label, hint, ...(wrong === undefined ? {} : { wrong }) })}
        {...rest}
        className={CONTROL}
      >
        {children}
      </select>
    </Frame>
  )
}

export function CheckField({
  label,
  hint,
  ...rest
}: {
  readonly label: ReactNode
  readonly hint?: ReactNode
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className'>) {
  const id = useId()
  return (
    <div className="flex gap-3">
      <input
        id={id}
        type="checkbox"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        {...rest}
        className="mt-0.5 size-6 shrink-0 accent-accent"
      />
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <div id={`${id}-hint`} className="text-sm text-faint">
            {hint}
          </div>
        )}
      </div>
    </div>
  )
}

/** Without those that are undefined: an optional property is there or it is not. */
function definedOf<T extends object>(of: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as never
}
