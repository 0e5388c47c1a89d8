/**
 * The large field: it grows with what is written, Enter searches and Shift with Enter begins a line. While an input method
 * is composing, Enter belongs to it.
 */
import { useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useText } from '../i18n/i18n.ts'
import { useShortcut } from '../shortcuts/shortcuts.tsx'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { DESCRIPTION_MAX } from './asked.ts'
import type { EarlyInput } from './early-field.ts'

const COUNTED_FROM = DESCRIPTION_MAX - 200
// What Safari says of the Enter that ends a composition, which it no longer calls composing.
const PROCESSED_BY_INPUT_METHOD = 229

/** A description has a limit; a list of domains, which has no sentences, may be longer. */
const cut = (text: string) =>
  text.length > DESCRIPTION_MAX && /\p{L}{2} \p{L}{2,} |^[^\n,.]{99}/u.test(text)
    ? text.slice(0, DESCRIPTION_MAX)
    : text

export function DescriptionField({
  text,
  readEarly,
  isLarge,
  onType,
  onAsk,
}: {
  readonly text: string
  readonly readEarly: (() => EarlyInput) | undefined
  readonly isLarge: boolean
  readonly onType: (text: string) => void
  readonly onAsk: (description: string) => void
}) {
  const { t } = useText()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [isMissing, setMissing] = useState(false)
  useShortcut('/', () => {
    field.current?.focus()
    field.current?.select()
  })
  // In the same moment as the new field is there, so that no key is lost.
  useLayoutEffect(() => {
    if (!isLarge || !(readEarly?.().hasFocus || matchMedia('(hover: hover)').matches)) return
    field.current?.focus({ preventScroll: true })
    field.current?.setSelectionRange(DESCRIPTION_MAX, DESCRIPTION_MAX)
  }, [isLarge, readEarly])
  const ask = (written = text) => {
    const description = written.trim()
    setMissing(!/\p{L}/u.test(description))
    if (!/\p{L}/u.test(description)) {
      field.current?.focus()
      return
    }
    // The keyboard of a phone would cover the names.
    if (matchMedia('(pointer: coarse)').matches) field.current?.blur()
    onAsk(description)
  }
  const takeOver = useEffectEvent((early: EarlyInput) => {
    onType(early.text)
    if (early.isSent) ask(early.text)
  })
  useLayoutEffect(() => {
    const early = readEarly?.()
    if (early?.text) takeOver(early)
  }, [readEarly])
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
      <div
        className={classes(
          'flex gap-2 rounded-lg border border-edge bg-card p-2 shadow-card focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-accent sm:flex-row sm:items-end',
          isLarge ? 'flex-col' : 'items-end',
        )}
      >
        <textarea
          ref={field}
          id={id}
          // Without the script, the form leads to the search as well.
          name="d"
          value={text}
          rows={isLarge ? 2 : 1}
          placeholder={t('search.fieldPlaceholder')}
          aria-describedby={`${id}-note`}
          aria-invalid={isMissing || undefined}
          enterKeyHint="search"
          // The hint in an empty field runs as the page does.
          dir={text === '' ? undefined : 'auto'}
          onChange={({ target }) => {
            setMissing(false)
            onType(cut(target.value))
          }}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-60 min-h-11 min-w-0 flex-1 resize-none bg-transparent px-3 py-2 text-lg outline-none"
        />
        <Button kind="main" type="submit" icon="search" className="shrink-0">
          {/* On a phone the names need the place. */}
          <span className={isLarge ? '' : 'max-sm:sr-only'}>{t('search.submit')}</span>
        </Button>
      </div>
      <p id={`${id}-note`} className="min-h-5 text-sm text-faint empty:hidden">
        {isMissing ? (
          <span className="text-wrong">{t('search.fieldMissing')}</span>
        ) : left >= 0 && text.length > COUNTED_FROM ? (
          t('search.fieldLeft', { count: left })
        ) : null}
      </p>
    </form>
  )
}
