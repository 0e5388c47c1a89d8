/** A label, something to fill in, a hint, and what is wrong with it: linked for screen readers. */
import { useId } from 'react'
import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { classes } from './classes.ts'

interface Around {
  readonly label: string
  readonly hint?: ReactNode
  readonly wrong?: string | undefined
  readonly className?: string | undefined
  /** The label is for screen readers only. */
  readonly hideLabel?: boolean | undefined
}

type Field<Attributes> = Around & Omit<Attributes, 'className'>

export const CONTROL =
  'block w-full min-h-11 rounded-md border border-edge bg-card px-3 py-2 text-ink text-base ' +
  'aria-invalid:border-2 aria-invalid:border-wrong [&[readonly]]:bg-sunken disabled:opacity-60'

/** What ties a control to the texts around it; to be spread over it. */
interface Tied {
  readonly id: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

function Frame({
  around: { label, hint, wrong, className, hideLabel },
  control,
}: {
  readonly around: Around
  readonly control: (tied: Tied) => ReactNode
}) {
  const id = useId()
  const about = [hint === undefined ? '' : `${id}-hint`, wrong === undefined ? '' : `${id}-wrong`].filter(Boolean)
  return (
    <div className={classes('grid gap-1.5', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'font-medium'}>
        {label}
      </label>
      {control({
        id,
        'aria-invalid': wrong === undefined ? undefined : true,
        'aria-describedby': about.join(' ') || undefined,
      })}
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

function split<Props extends Around>({ label, hint, wrong, className, hideLabel, ...rest }: Props) {
  return { around: { label, hint, wrong, className, hideLabel }, rest }
}

export function TextField({
  inside,
  ...props
}: Field<InputHTMLAttributes<HTMLInputElement>> & {
  /** A button at the end of the field, such as the one that shows a password. */
  readonly inside?: ReactNode
}) {
  const { around, rest } = split(props)
  const control = (tied: Tied) => (
    // The field may run in another direction than the page, and its end with it.
    <div dir={rest.dir} className="relative">
      <input {...tied} {...rest} className={classes(CONTROL, inside !== undefined && 'pe-12')} />
      {inside !== undefined && <div className="absolute inset-y-0 end-0.5 flex items-center">{inside}</div>}
    </div>
  )
  return <Frame around={around} control={control} />
}

export function TextArea(props: Field<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  const { around, rest } = split(props)
  const control = (tied: Tied) => <textarea {...tied} {...rest} className={classes(CONTROL, 'min-h-24')} />
  return <Frame around={around} control={control} />
}

export function SelectField(props: Field<SelectHTMLAttributes<HTMLSelectElement>>) {
  const { around, rest } = split(props)
  return <Frame around={around} control={(tied) => <select {...tied} {...rest} className={CONTROL} />} />
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
