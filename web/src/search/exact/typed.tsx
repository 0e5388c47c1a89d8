/** What is in the field, where it is not a description: a name, whose domains are checked, or a list of domains. */
import { lazy, Suspense } from 'react'
import { listOf } from '../asked.ts'
import type { Asked } from '../asked.ts'
import { PRESET_NAMES } from '../filters/presets.ts'
import { pastedList } from '../list/pasted-list.ts'
import ExactMatch from './exact-match.tsx'
import { typedDomains } from './typed-domains.ts'

const Candidates = lazy(() => import('../list/candidates.tsx'))
const CheckedList = lazy(() => import('../list/checked-list.tsx'))
const MOST_SUFFIXES = 5
const PRESETS: ReadonlySet<string> = new Set(PRESET_NAMES)

export default function Typed({
  text,
  isAsked,
  isSent,
  asked,
  onSend,
  onDescribe,
  onChange,
}: {
  readonly text: string
  /** Names are shown for it: then it is a description, whatever it looks like. */
  readonly isAsked: boolean
  /** Enter was pressed: names of a list are checked then. */
  readonly isSent: boolean
  /** The search that is shown, whose suffixes, some of which may be presets, and rules are those of a list. */
  readonly asked: Asked
  readonly onSend: () => void
  readonly onDescribe: (description: string) => void
  readonly onChange: (asked: Asked) => void
}) {
  const exact = typedDomains(text)
  if (exact) return <ExactMatch domains={exact} />
  const plain = listOf(asked.tlds).filter((part) => /^[a-z]{2,}(?:\.[a-z]{2,})?$/.test(part) && !PRESETS.has(part))
  const chosen = plain.slice(0, MOST_SUFFIXES)
  const suffixes = chosen.length === 0 ? ['com'] : chosen
  const list = isAsked ? undefined : pastedList(text, suffixes)
  if (!list) return null
  const describe = () => onDescribe(text)
  return (
    <Suspense>
      {list.names ? (
        <Candidates
          names={list.names}
          others={list.others}
          suffixes={chosen}
          asked={asked}
          isSent={isSent}
          onSend={onSend}
          onDescribe={describe}
          onChange={onChange}
        />
      ) : (
        <CheckedList list={list} suffixes={suffixes} onDescribe={describe} />
      )}
    </Suspense>
  )
}
