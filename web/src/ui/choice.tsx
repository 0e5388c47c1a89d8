/** One of a few, each with a word about it: what would not be understood from a list that opens. */
import { useId } from 'react'
import type { ReactNode } from 'react'

export interface Option<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly hint?: ReactNode
}

export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string
  readonly value: Value
  readonly options: readonly Option<Value>[]
  readonly onChange: (value: Value) => void
}) {
  const id = useId()
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <div className="grid gap-2">
        {options.map((option) => (
          <label
            key={option.value}
            className="flex gap-3 rounded-md border border-edge px-3 py-2.5 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              aria-describedby={option.hint === undefined ? undefined : `${id}-${option.value}`}
              aria-labelledby={`${id}-${option.value}-label`}
              className="mt-0.5 size-5 shrink-0 accent-accent"
            />
            <span className="grid">
              <span id={`${id}-${option.value}-label`}>{option.label}</span>
              {option.hint !== undefined && (
                <span id={`${id}-${option.value}`} className="text-sm text-faint">
                  {option.hint}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
