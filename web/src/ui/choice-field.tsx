/** One of a few, all of them in sight: radio buttons that look like one row of buttons. More than five are a SelectField. */
import { useId } from 'react'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'

export interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly icon?: IconName
}

export function ChoiceField<Value extends string>({
  label,
  hint,
  choices,
  value,
  onChange,
}: {
  readonly label: string
  readonly hint?: ReactNode
  readonly choices: readonly Choice<Value>[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}) {
  const id = useId()
  return (
    <fieldset aria-describedby={hint === undefined ? undefined : `${id}-hint`} className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="inline-flex min-h-11 items-center gap-2 rounded-md border border-edge bg-card px-4 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={id}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              className="size-4 accent-accent outline-none"
            />
            {choice.icon && <Icon name={choice.icon} size={18} />}
            {choice.label}
          </label>
        ))}
      </div>
      {hint !== undefined && (
        <div id={`${id}-hint`} className="text-sm text-faint">
          {hint}
        </div>
      )}
    </fieldset>
  )
}
