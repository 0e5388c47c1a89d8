/** The tags of a favorite: each can be taken off, and another put on. */
import { useEffect, useId, useRef, useState } from 'react'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { CONTROL } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'

const MOST = 20
const LONGEST = 40

export function Tags({
  tags,
  known,
  onChange,
}: {
  readonly tags: readonly string[]
  /** All tags there are, to choose from. */
  readonly known: readonly string[]
  readonly onChange: ((tags: readonly string[]) => void) | undefined
}) {
  const { t } = useText()
  const id = useId()
  const [draft, setDraft] = useState<string>()
  const place = useRef<HTMLDivElement>(null)
  const wasAdding = useRef(false)
  const isAdding = draft !== undefined
  useEffect(() => {
    if (isAdding) place.current?.querySelector('input')?.focus()
    else if (wasAdding.current) focusAdd()
    wasAdding.current = isAdding
  }, [isAdding])
  const focusAdd = () => place.current?.querySelector<HTMLElement>('[data-add]')?.focus()
  const add = () => {
    const tag = (draft ?? '').trim()
    if (tag !== '' && !tags.includes(tag)) onChange?.([...tags, tag])
    setDraft(undefined)
  }
  if (!onChange && tags.length === 0) return null
  return (
    <div ref={place} className="contents">
      {tags.length > 0 && (
        <ul aria-label={t('favorites.tags')} className="contents">
          {tags.map((tag) => (
            <li key={tag} className="inline-flex items-center rounded-full bg-sunken ps-3 pe-1 text-sm">
              <bdi className={onChange ? '' : 'py-0.5 pe-2'}>{tag}</bdi>
              {onChange && (
                <button
                  type="button"
                  aria-label={t('favorites.removeTag', { tag })}
                  title={t('favorites.removeTag', { tag })}
                  onClick={() => {
                    onChange(tags.filter((one) => one !== tag))
                    focusAdd()
                  }}
                  className="ms-0.5 inline-flex size-7 items-center justify-center rounded-full text-faint hover:text-ink"
                >
                  <Icon name="close" size={14} />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {onChange && !isAdding && tags.length < MOST && (
        <Button data-add kind="quiet" small icon="tag" onClick={() => setDraft('')}>
          {t('favorites.addTag')}
        </Button>
      )}
      {isAdding && (
        <form
          className="flex items-center gap-1.5"
          onSubmit={(event) => {
            event.preventDefault()
            add()
          }}
          onKeyDown={({ key }) => key === 'Escape' && setDraft(undefined)}
        >
          <input
            aria-label={t('favorites.newTag')}
            list={`${id}-known`}
            value={draft}
            maxLength={LONGEST}
            onChange={({ target }) => setDraft(target.value)}
            onBlur={({ relatedTarget }) => relatedTarget === null && add()}
            className={`${CONTROL} w-40`}
          />
          <datalist id={`${id}-known`}>
            {known.map((tag) => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
          <Button small type="submit">
            {t('favorites.addTagAct')}
          </Button>
        </form>
      )}
    </div>
  )
}
