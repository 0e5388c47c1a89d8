/** What is put side by side of each name: one entry per row of the comparison, in this order; the domains come after. */
import type { ReactNode } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import type { TextId } from '../../i18n/i18n.ts'
import { SayIt } from '../actions/say-it.tsx'
import { Rationale } from '../results/rationale.tsx'
import { suffixOf } from '../result.ts'
import type { Result } from '../result.ts'

export interface Fact {
  readonly label: TextId
  readonly of: (result: Result) => ReactNode
}

export const FACTS: readonly Fact[] = [
  { label: 'compare.length', of: ({ name }) => <Length name={name} /> },
  { label: 'compare.syllables', of: ({ sound }) => <Syllables count={sound?.syllables} /> },
  { label: 'compare.said', of: (result) => <Said {...result} /> },
  {
    label: 'compare.origin',
    of: ({ rationale }) => (rationale === undefined ? <NotKnown /> : <Rationale text={rationale} />),
  },
  { label: 'compare.risks', of: ({ risks }) => <RisksFound risks={risks} /> },
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

function Syllables({ count }: { readonly count: number | undefined }) {
  const format = useFormat()
  return count === undefined ? <NotKnown /> : format.number(count)
}

function Said({ name, sound }: Result) {
  const { t } = useText()
  const spelled = sound?.spelled_as_heard ?? null
  return (
    <div className="grid justify-items-start gap-0.5">
      <span className="inline-flex items-center gap-1">
        {sound ? <bdi translate="no">{sound.said}</bdi> : <NotKnown />}
        <SayIt name={name} />
      </span>
      {spelled !== null && (
        <span className="text-sm text-faint">{t(spelled ? 'compare.spelled' : 'compare.misspelled')}</span>
      )}
    </div>
  )
}

export function RisksFound({ risks }: Pick<Result, 'risks'>) {
  const { t } = useText()
  const format = useFormat()
  if (!risks) return <NotKnown />
  if (risks.found.length === 0) return t('compare.noRisks', { count: risks.checked })
  return (
    <ul className="grid gap-1">
      {risks.found.map(({ language, kind, word }) => (
        <li key={`${language} ${word}`}>
          {t(RISKS[kind], { language: language === null ? '' : format.languageName(language), word })}
        </li>
      ))}
    </ul>
  )
}

const RISKS: Readonly<Record<NonNullable<Result['risks']>['found'][number]['kind'], TextId>> = {
  offensive: 'compare.riskOffensive',
  vulgar: 'compare.riskVulgar',
  unlucky: 'compare.riskUnlucky',
  confusable_brand: 'compare.riskBrand',
}

/** Every suffix that one of them has, in the order in which they were asked for. */
export function suffixesOf(results: readonly Result[]): readonly string[] {
  return [...new Set(results.flatMap(({ domains }) => domains.map(({ domain }) => suffixOf(domain))))]
}
