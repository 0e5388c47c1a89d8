/** A value on a scale, with what it means in words; arrows, Home and End move it. */
import { useId } from 'react'

export function Slider({
  label,
  min,
  max,
  value,
  text,
  onChange,
}: {
  readonly label: string
  readonly min: number
  readonly max: number
  readonly value: number
  /** What the value means. */
  readonly text: string
  readonly onChange: (value: number) => void
}) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <output htmlFor={id} className="text-sm text-faint tabular-nums">
          {text}
        </output>
      </div>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={1}
        value={value}
        aria-valuetext={text}
        onChange={({ target }) => onChange(target.valueAsNumber)}
        className="min-h-11 w-full accent-accent"
      />
    </div>
  )
}
