/** Names beside each other, facts below each other. A phone shows two names at once and scrolls to the others. */
import { useText } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/button.tsx'
import { Ltr } from '../../ui/layout.tsx'
import { suffixOf } from '../result.ts'
import type { Result } from '../result.ts'
import { ComparedBest } from './compared-best.tsx'
import { ComparedDomain } from './compared-domain.tsx'
import { FACTS, suffixesOf } from './facts.tsx'

export function CompareTable({
  results,
  onTakeOut,
}: {
  readonly results: readonly Result[]
  readonly onTakeOut: (result: Result) => void
}) {
  const { t } = useText()
  return (
    <div
      role="region"
      aria-label={t('compare.title')}
      tabIndex={0}
      // On a phone it takes the margin of the dialog, so that two names are wholly in view.
      className="overflow-x-auto rounded-md border border-line max-sm:-mx-4"
    >
      <table className="w-full border-collapse text-start text-sm sm:text-[0.95rem] [&_td]:min-w-30 sm:[&_td]:min-w-40 [&_td]:px-2 sm:[&_td]:px-4 [&_td]:py-3 [&_td]:align-top [&_th]:px-2 sm:[&_th]:px-4 [&_th]:py-3 [&_th]:text-start [&_th]:align-top">
        <caption className="sr-only">{t('compare.title')}</caption>
        <thead>
          <tr className="border-b border-line">
            <td className="sticky start-0 min-w-0! bg-card" />
            {results.map((result) => (
              <th key={result.name} scope="col">
                <span className="flex items-start justify-between sm:gap-2">
                  <bdi
                    translate="no"
                    className="font-display text-sm font-semibold hyphens-none [overflow-wrap:normal] sm:text-xl"
                  >
                    {result.name}
                  </bdi>
                  <IconButton
                    icon="close"
                    small
                    label={t('compare.takeOut', { name: result.name })}
                    onClick={() => onTakeOut(result)}
                    className="-me-2 -mt-0.5"
                  />
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line [&_th]:sticky [&_th]:start-0 [&_th]:w-26 [&_th]:min-w-26 sm:[&_th]:w-36 sm:[&_th]:min-w-32 [&_th]:bg-card [&_th]:text-xs sm:[&_th]:text-sm [&_th]:font-medium [&_th]:text-faint">
          <tr>
            <th scope="row">{t('compare.best')}</th>
            {results.map((result) => (
              <td key={result.name}>
                <ComparedBest result={result} />
              </td>
            ))}
          </tr>
          {FACTS.map(({ label, of }) => (
            <tr key={label}>
              <th scope="row">{t(label)}</th>
              {results.map((result) => (
                <td key={result.name}>{of(result)}</td>
              ))}
            </tr>
          ))}
          {suffixesOf(results).map((suffix) => (
            <tr key={suffix}>
              <th scope="row">
                <Ltr className="font-mono">{`.${suffix}`}</Ltr>
              </th>
              {results.map(({ name, domains }) => (
                <td key={name}>
                  <DomainOf suffix={suffix} domains={domains} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function DomainOf({ suffix, domains }: { readonly suffix: string } & Pick<Result, 'domains'>) {
  const { t } = useText()
  const domain = domains.find((one) => suffixOf(one.domain) === suffix)
  return domain ? <ComparedDomain domain={domain} /> : <span className="text-faint">{t('compare.notChecked')}</span>
}
