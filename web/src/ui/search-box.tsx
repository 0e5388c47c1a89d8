/** A field that filters a list: what is typed counts when the typing pauses, or at once on Enter. */
import { useEffect, useId, useRef, useState } from 'react'
import { CONTROL } from './field.tsx'
import { Icon } from './icon.tsx'

const PAUSE_MS = 250

export function SearchBox({
  label,
  value,
  onChange,
  className,
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly className?: string
}) {
  const id = useId()
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // Changed from outside, such as by a reset; the space after a word is not such a change.
  useEffect(() => setText((typed) => (typed.trim() === value ? typed : value)), [value])
  const later = (next: string, pauseMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChange(next.trim()), pauseMs)
  }
  return (
    <div className={className}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <div className="relative">
        <Icon
          name="search"
          size={18}
          className="pointer-events-none absolute start-3 top-1/2 -translate-y-1/2 text-faint"
        />
        <input
          id={id}
          type="search"
          enterKeyHint="search"
          placeholder={label}
          maxLength={200}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            later(target.value, PAUSE_MS)
          }}
          onKeyDown={({ key, nativeEvent }) => {
            if (key === 'Enter' && !nativeEvent.isComposing) later(text, 0)
          }}
          className={`${CONTROL} ps-10`}
        />
      </div>
    </div>
  )
}
