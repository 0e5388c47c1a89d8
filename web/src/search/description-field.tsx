/**
 * The large field: it grows with what is written, Enter searches and Shift with Enter begins a line. While an input method
 * is composing, Enter belongs to it.
 */
import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useText } from '../i18n/i18n.ts'
import { useShortcut } from '../shortcuts/shortcuts.tsx'
import { Button } from '../ui/button.tsx'
import { DESCRIPTION_MAX } from './asked.ts'

const COUNTED_FROM = DESCRIPTION_MAX - 200
// What Safari says of the Enter that ends a composition, which it no longer calls composing.
const PROCESSED_BY_INPUT_METHOD = 229

export function DescriptionField({
  asked,
  isLarge,
  onType,
  onAsk,
}: {
  /** What the page shows names for; empty before the first search. */
  readonly asked: string
  readonly isLarge: boolean
  readonly onType: (text: string) => void
  readonly onAsk: (description: string) => void
}) {
  const { t } = useText()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(asked)
  const [isMissing, setMissing] = useState(false)
  const [shownFor, setShownFor] = useState(asked)
  // Another search was opened by a link, an example or the way back.
  if (asked !== shownFor) {
    setShownFor(asked)
    setText(asked)
  }
  useShortcut('/', () => {
    field.current?.focus()
    field.current?.select()
  })
  useEffect(() => {
    if (isLarge && matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true })
  }, [isLarge])
  const ask = () => {
    const description = text.trim()
    setMissing(!/\p{L}/u.test(description))
    if (!/\p{L}/u.test(description)) {
      field.current?.focus()
      return
    }
    // The keyboard of a phone would cover the names.
    if (matchMedia('(pointer: coarse)').matches) field.current?.blur()
    onAsk(description)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { isComposing, keyCode } = event.nativeEvent
    if (event.key !== 'Enter' || event.shiftKey || isComposing || keyCode === PROCESSED_BY_INPUT_METHOD) return
    event.preventDefault()
    ask()
  }
  const left = DESCRIPTION_MAX - text.length
  return (
    <form
      role="search"
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        ask()
      }}
    >
      <label htmlFor={id} className="sr-only">
        {t('search.fieldLabel')}
      </label>
      <div className="flex flex-col gap-2 rounded-lg border border-edge bg-card p-2 shadow-card focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-accent sm:flex-row sm:items-end">
        <textarea
          ref={field}
          id={id}
          value={text}
          rows={isLarge ? 2 : 1}
          maxLength={DESCRIPTION_MAX}
          placeholder={t('search.fieldPlaceholder')}
          aria-describedby={`${id}-note`}
          aria-invalid={isMissing || undefined}
          enterKeyHint="search"
          dir="auto"
          onChange={({ target }) => {
            setText(target.value)
            setMissing(false)
            onType(target.value)
          }}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-60 min-h-11 flex-1 resize-none bg-transparent px-3 py-2 text-lg outline-none"
        />
        <Button kind="main" type="submit" icon="search" className="shrink-0">
          {t('search.submit')}
        </Button>
      </div>
      <p id={`${id}-note`} className="min-h-5 text-sm text-faint empty:hidden">
        {isMissing ? (
          <span className="text-wrong">{t('search.fieldMissing')}</span>
        ) : text.length > COUNTED_FROM ? (
          t('search.fieldLeft', { count: left })
        ) : null}
      </p>
    </form>
  )
}
