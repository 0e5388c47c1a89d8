/** On or off, at once: what needs a button to take effect is a CheckField. */
import type { ReactNode } from 'react'
import { useId } from 'react'

export function Switch({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
}: {
  readonly label: string
  readonly hint?: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly disabled?: boolean
}) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
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
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
        className="switch"
      />
    </div>
  )
}
