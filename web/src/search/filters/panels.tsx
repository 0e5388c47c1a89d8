/** What is inside of each filter: fetched when the first one is opened. */
import type { Asked } from '../asked.ts'
import type { Edit } from './filter-popover.tsx'
import { LanguagePanel } from './language-panel.tsx'
import { LengthPanel } from './length-panel.tsx'
import { PricePanel } from './price-panel.tsx'
import { StylePanel } from './style-panel.tsx'
import { SuffixPanel } from './suffix-panel.tsx'
import { WordsPanel } from './words-panel.tsx'

const PANELS = {
  suffixes: SuffixPanel,
  length: LengthPanel,
  style: StylePanel,
  words: WordsPanel,
  price: PricePanel,
  language: LanguagePanel,
} as const

export type FilterName = keyof typeof PANELS

export default function Panel({
  of,
  draft,
  edit,
}: {
  readonly of: FilterName
  readonly draft: Asked
  readonly edit: Edit
}) {
  const Inside = PANELS[of]
  return <Inside draft={draft} edit={edit} />
}
