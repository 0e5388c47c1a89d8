/** What is put side by side of each name: one entry per row of the comparison, in this order; the domains come after. */
import type { ReactNode } from 'react'
import { useText } from '../../i18n/i18n.ts'
import type { TextId } from '../../i18n/i18n.ts'
import { Rationale } from '../results/rationale.tsx'
import { suffixOf } from '../result.ts'
import type { Result } from '../result.ts'

export interface Fact {
  readonly label: TextId
  readonly of: (result: Result) => ReactNode
}

export const FACTS: readonly Fact[] = [
  { label: 'compare.length', of: ({ name }) => <Length name={name} /> },
  {
    label: 'compare.origin',
    of: ({ rationale }) => (rationale === undefined ? <NotKnown /> : <Rationale text={rationale} />),
  },
]

export function NotKnown() {
  const { t } = useText()
  return <span className="text-faint">{t('compare.notKnown')}</span>
}

function Length({ name }: { readonly name: string }) {
  const { t } = useText()
  // As readers count: a letter with its accents is one.
  return t('compare.letters', { count: [...new Intl.Segmenter().segment(name.replaceAll(/\s/g, ''))].length })
}

/** Every suffix that one of them has, in the order in which they were asked for. */
export function suffixesOf(results: readonly Result[]): readonly string[] {
  return [...new Set(results.flatMap(({ domains }) => domains.map(({ domain }) => suffixOf(domain))))]
}
