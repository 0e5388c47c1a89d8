/** What the reader wrote about a favorite, changed where it stands. */
import { useEffect, useRef, useState } from 'react'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { TextArea } from '../ui/field.tsx'

const MOST = 2_000

export function Note({
  note,
  onChange,
}: {
  readonly note: string | null
  /** Undefined for viewers. */
  readonly onChange: ((note: string | null) => void) | undefined
}) {
  const { t } = useText()
  const [draft, setDraft] = useState<string>()
  const place = useRef<HTMLDivElement>(null)
  const wasEditing = useRef(false)
  const isEditing = draft !== undefined
  // Into the field when it opens, and back to its button when it closes.
  useEffect(() => {
    if (isEditing) place.current?.querySelector('textarea')?.focus()
    else if (wasEditing.current) place.current?.querySelector('button')?.focus()
    wasEditing.current = isEditing
  }, [isEditing])
  const close = () => setDraft(undefined)
  if (draft === undefined)
    return (
      <div ref={place} className="contents">
        {note !== null && note !== '' && (
          <p className="min-w-0 basis-full whitespace-pre-line">
            <bdi>{note}</bdi>
          </p>
        )}
        {onChange && (
          <Button kind="quiet" small icon="edit" className="-ms-3" onClick={() => setDraft(note ?? '')}>
            {t(note ? 'favorites.editNote' : 'favorites.addNote')}
          </Button>
        )}
      </div>
    )
  return (
    <div ref={place} className="basis-full">
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          const next = draft.trim() === '' ? null : draft.trim()
          if (next !== note) onChange?.(next)
          close()
        }}
        onKeyDown={({ key }) => key === 'Escape' && close()}
      >
        <TextArea
          label={t('favorites.note')}
          value={draft}
          maxLength={MOST}
          onChange={({ target }) => setDraft(target.value)}
        />
        <div className="flex gap-2">
          <Button small kind="main" type="submit">
            {t('favorites.saveNote')}
          </Button>
          <Button small kind="quiet" onClick={close}>
            {t('shell.cancel')}
          </Button>
        </div>
      </form>
    </div>
  )
}
