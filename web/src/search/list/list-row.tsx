/** One domain of a list: its state, since when it is known, what it costs, and the way to register it. */
import type { CheckedDomain, DomainEntry } from '@namewright/client'
import { memo, useMemo } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { faultText } from '../../ui/fault.tsx'
import { Ltr } from '../../ui/layout.tsx'
import { useVerdict } from '../actions/recheck.ts'
import { RegisterMenu } from '../register/register-menu.tsx'
import { Ago } from '../results/ago.tsx'
import { MinimumTerm } from '../results/minimum-term.tsx'
import { StateBadge } from '../results/state-badge.tsx'
import { shownStateOf } from '../results/state.ts'
import type { RowState } from './use-list-check.ts'

export function entryOf({ domain, price, pricing, ...checked }: CheckedDomain): DomainEntry {
  const { available, status, confidence, sources, checked_at, expires_at } = checked
  const known = { domain, available, status, confidence, sources, checked_at, expires_at, price: price ?? '' }
  return pricing ? { ...known, pricing } : known
}

/** As high before its answer as after it, so that nothing moves. */
const ROW =
  'grid min-h-23 grid-cols-[1fr_auto] items-center gap-x-4 px-4 py-2 [contain-intrinsic-block-size:5.75rem] [content-visibility:auto] ' +
  'sm:min-h-15 sm:grid-cols-[minmax(0,1fr)_8rem_15rem_8rem] sm:[contain-intrinsic-block-size:3.75rem]'

export const ListRow = memo(function ListRow({ domain, row }: { readonly domain: string; readonly row: RowState }) {
  const { t } = useText()
  const refusal =
    row.kind === 'failed' ? faultText(row.error) : row.kind === 'checked' ? refusalOf(row.checked) : undefined
  return (
    <li className={ROW}>
      <Ltr className="min-w-0 font-mono text-[0.95rem] font-semibold break-all">{domain}</Ltr>
      {refusal !== undefined ? (
        <p className="text-sm text-wrong max-sm:col-span-2 sm:col-span-3">
          {refusal === 'list.invalid' || refusal === 'list.unsupported' ? t(refusal) : refusal}
        </p>
      ) : row.kind === 'checked' ? (
        <Known checked={row.checked} />
      ) : row.kind === 'checking' ? (
        <StateBadge state="checking" />
      ) : (
        <p className="text-sm text-faint">{t('list.waiting')}</p>
      )}
    </li>
  )
})

function refusalOf({ status }: CheckedDomain) {
  if (status === 'invalid') return 'list.invalid'
  return status === 'unsupported' ? 'list.unsupported' : undefined
}

function Known({ checked }: { readonly checked: CheckedDomain }) {
  const { t } = useText()
  const format = useFormat()
  const entry = useVerdict(useMemo(() => entryOf(checked), [checked]))
  const state = shownStateOf(entry, false)
  const { pricing } = entry
  const isPriced = pricing !== undefined && (state === 'free' || state === 'premium')
  return (
    <>
      <span className="grid justify-items-start gap-0.5">
        <StateBadge state={state} />
        {entry.checked_at !== undefined && (
          <span className="text-xs text-faint">
            <Ago moment={entry.checked_at} />
          </span>
        )}
      </span>
      <p className="text-sm text-faint tabular-nums">
        {isPriced && (
          <>
            <span className="font-medium text-ink">{format.money(pricing.due_minor, pricing.currency)}</span>{' '}
            <MinimumTerm years={pricing?.term_years} />{' '}
            {t('search.priceRenewal', { price: format.money(pricing.renewal_minor, pricing.currency) })}
          </>
        )}
      </p>
      <span className="flex justify-end">{isPriced && <RegisterMenu domain={entry} priced={false} />}</span>
    </>
  )
}

/** What stands between the names of a list, such as the first sentence of an answer. */
export function OtherLines({ lines }: { readonly lines: readonly string[] }) {
  const { t } = useText()
  return lines.map((line, index) => (
    <li key={index} className="flex min-h-12 items-center justify-between gap-4 px-4 py-1.5 text-sm text-faint">
      <bdi className="min-w-0 truncate">{line}</bdi>
      <span className="shrink-0">{t('list.notName')}</span>
    </li>
  ))
}
