/**
 * The search field, and below the filters the check of a domain or list while it is typed. The text is state of this component, so
 * that a key press does not render the whole page.
 */
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { usePart } from '../later.ts'
import { DescriptionField } from './description-field.tsx'
import { findEarlyField } from './early-field.ts'
import { pastedList } from './list/pasted-list.ts'
import { typed, usePreload } from './use-preload.ts'

export function SearchInput({
  description,
  tlds,
  onAsk,
  children,
}: {
  /** What the page shows names for; empty before the first search. */
  readonly description: string
  readonly tlds: string | undefined
  readonly onAsk: (description: string) => void
  /** What stands between the field and the check. */
  readonly children: ReactNode
}) {
  const [readEarly] = useState(() => findEarlyField())
  const [text, setText] = useState(description)
  const [shownFor, setShownFor] = useState(description)
  // Another search was opened by a link, an example or the way back.
  if (description !== shownFor) {
    setShownFor(description)
    setText(description)
  }
  usePreload(text)
  const isWritten = text.trim() !== ''
  const Typed = usePart(typed, isWritten)?.default
  // A list is not searched for: its check is under way, and the focus goes there.
  const submit = (asked: string) => {
    if (asked !== description && pastedList(asked, ['com'])) document.querySelector<HTMLElement>('#list')?.focus()
    else onAsk(asked)
  }
  return (
    <>
      <DescriptionField
        text={text}
        readEarly={readEarly}
        isLarge={description === ''}
        onType={setText}
        onAsk={submit}
      />
      {children}
      {isWritten && Typed && (
        <Suspense>
          <Typed text={text} isAsked={text.trim() === description} tlds={tlds} onDescribe={onAsk} />
        </Suspense>
      )}
    </>
  )
}
