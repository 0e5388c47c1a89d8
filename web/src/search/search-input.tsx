/**
 * The search field, and below it the check of a domain or list while it is typed. The text is state of this component, so
 * that a key press does not render the whole page.
 */
import { Suspense, useState } from 'react'
import { lazyPart } from '../later.ts'
import { DescriptionField } from './description-field.tsx'
import { findEarlyField } from './early-field.ts'
import { usePreload } from './use-preload.ts'

const Typed = lazyPart(() => import('./exact/typed.tsx'))

export function SearchInput({
  description,
  tlds,
  onAsk,
}: {
  /** What the page shows names for; empty before the first search. */
  readonly description: string
  readonly tlds: string | undefined
  readonly onAsk: (description: string) => void
}) {
  const [readEarly] = useState(() => findEarlyField())
  const [text, setText] = useState(description)
  const [shownFor, setShownFor] = useState(description)
  // Another search was opened by a link, an example or the way back.
  if (description !== shownFor) {
    setShownFor(description)
    setText(description)
  }
  const isPreloading = usePreload(text)
  // A list is not searched for: its check is under way, and the focus goes there.
  const submit = async (asked: string) => {
    const isList = await import('./list/pasted-list.ts').then(
      ({ pastedList }) => pastedList(asked, ['com']),
      () => undefined,
    )
    if (isList && asked !== description) document.querySelector<HTMLElement>('#list')?.focus()
    else onAsk(asked)
  }
  return (
    <>
      <DescriptionField
        text={text}
        readEarly={readEarly}
        isLarge={description === ''}
        onType={setText}
        onAsk={(asked) => void submit(asked)}
      />
      {text.trim() !== '' && (isPreloading || description !== '') && (
        <Suspense>
          <Typed text={text} isAsked={text.trim() === description} tlds={tlds} onDescribe={onAsk} />
        </Suspense>
      )}
    </>
  )
}
