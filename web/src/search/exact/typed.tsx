/** What is in the field, where it is not a description: a name, whose domains are checked, or a list of domains. */
import { lazy, Suspense } from 'react'
import { listOf } from '../asked.ts'
import { PRESET_NAMES } from '../filters/presets.ts'
import { pastedList } from '../list/pasted-list.ts'
import ExactMatch from './exact-match.tsx'
import { typedDomains } from './typed-domains.ts'

const CheckedList = lazy(() => import('../list/checked-list.tsx'))
const MOST_SUFFIXES = 5
const PRESETS: ReadonlySet<string> = new Set(PRESET_NAMES)

export default function Typed({
  text,
  isAsked,
  tlds,
  onDescribe,
}: {
  readonly text: string
  /** Names are shown for it: then it is a description, whatever it looks like. */
  readonly isAsked: boolean
  /** Suffixes of the search, some of which may be presets. */
  readonly tlds: string | undefined
  readonly onDescribe: (description: string) => void
}) {
  const exact = typedDomains(text)
  if (exact) return <ExactMatch domains={exact} />
  const chosen = listOf(tlds).filter((part) => /^[a-z]{2,}(?:\.[a-z]{2,})?$/.test(part) && !PRESETS.has(part))
  const suffixes = chosen.length === 0 ? ['com'] : chosen.slice(0, MOST_SUFFIXES)
  const list = isAsked ? undefined : pastedList(text, suffixes)
  return (
    list && (
      <Suspense>
        <CheckedList list={list} suffixes={suffixes} onDescribe={() => onDescribe(text)} />
      </Suspense>
    )
  )
}
