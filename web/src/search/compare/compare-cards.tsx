/** The comparison on a phone: one name below the other, each with all its facts. */
import { useText } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/button.tsx'
import { Ltr } from '../../ui/layout.tsx'
import { suffixOf } from '../result.ts'
import type { Result } from '../result.ts'
import { ComparedBest } from './compared-best.tsx'
import { ComparedDomain } from './compared-domain.tsx'
import { FACTS } from './facts.tsx'

const ROW = 'grid grid-cols-[7rem_1fr] gap-3 py-2.5'

export function CompareCards({
  results,
  onTakeOut,
}: {
  readonly results: readonly Result[]
  readonly onTakeOut: (result: Result) => void
}) {
  const { t } = useText()
  return results.map((result) => (
    <section key={result.name} className="rounded-md border border-line px-4 pt-3 pb-1">
      <div className="flex items-start justify-between gap-2">
        <h3 className="text-xl font-semibold">
          <bdi translate="no">{result.name}</bdi>
        </h3>
        <IconButton
          icon="close"
          label={t('compare.takeOut', { name: result.name })}
          onClick={() => onTakeOut(result)}
          className="-me-2 -mt-1"
        />
      </div>
      <dl className="divide-y divide-line [&_dt]:text-sm [&_dt]:text-faint">
        <div className={ROW}>
          <dt>{t('compare.best')}</dt>
          <dd>
            <ComparedBest result={result} />
          </dd>
        </div>
        {FACTS.map(({ label, of }) => (
          <div key={label} className={ROW}>
            <dt>{t(label)}</dt>
            <dd>{of(result)}</dd>
          </div>
        ))}
        {result.domains.map((domain) => (
          <div key={domain.domain} className={ROW}>
            <dt>
              <Ltr className="font-mono">{`.${suffixOf(domain.domain)}`}</Ltr>
            </dt>
            <dd>
              <ComparedDomain domain={domain} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  ))
}
