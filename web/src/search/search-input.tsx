/**
 * The search field, and below the filters the check of a domain or list while it is typed. The text is state of this component, so
 * that a key press does not render the whole page.
 */
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { usePart } from '../later.ts'
import type { Asked } from './asked.ts'
import { DescriptionField } from './description-field.tsx'
import { findEarlyField } from './early-field.ts'
import { pastedList } from './list/pasted-list.ts'
import { typed, usePreload } from './use-preload.ts'

export function SearchInput({
  description,
  asked,
  onAsk,
  onChange,
  children,
}: {
  /** What the page shows names for; empty before the first search. */
  readonly description: string
  readonly asked: Asked
  readonly onAsk: (description: string) => void
  readonly onChange: (asked: Asked) => void
  /** What stands between the field and the check. */
  readonly children: ReactNode
}) {
  const [readEarly] = useState(() => findEarlyField())
  const [text, setText] = useState(description)
  const [sentList, setSentList] = useState<string>()
  const [shownFor, setShownFor] = useState(description)
  // Another search was opened by a link, an example or the way back.
  if (description !== shownFor) {
    setShownFor(description)
    setText(description)
  }
  usePreload(text)
  const isWritten = text.trim() !== ''
  const Typed = usePart(typed, isWritten)?.default
  // A list is not searched for: its check begins or is under way, and the focus goes there.
  const submit = (sent: string) => {
    if (sent === description || !pastedList(sent, ['com'])) return onAsk(sent)
    setSentList(text)
    document.querySelector<HTMLElement>('#list')?.focus()
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
          <Typed
            text={text}
            isAsked={text.trim() === description}
            isSent={text === sentList}
            asked={asked}
            onSend={() => setSentList(text)}
            onDescribe={onAsk}
            onChange={onChange}
          />
        </Suspense>
      )}
    </>
  )
}
