/** What each domain costs over five years, at each registrar with a known price, and where renewal is a trap. */
import type { ConfirmedDomain, ReceiptOffer } from '../api/receipts.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { nameOf } from '../search/results/domain-facts.tsx'
import { Trap } from '../search/results/trap.tsx'
import { Ltr } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { entryOfReceipt, receiptStateOf } from './entry-of-receipt.ts'

const NUMBERS = [2, 3, 4]

export function Costs({ domains }: { readonly domains: readonly ConfirmedDomain[] }) {
  const { t } = useText()
  // What a taken domain would cost helps nobody.
  const open = domains.filter((one) => ['free', 'premium', 'unknown'].includes(receiptStateOf(one)))
  const rows = open.flatMap((one) => one.offers.map((offer) => ({ one, offer })))
  if (rows.length === 0) return <p>{t('receipt.noPrice')}</p>
  const head = [
    t('receipt.domain'),
    t('receipt.registrar'),
    t('search.factFirst', { years: 1 }),
    t('search.factRenewal'),
    t('search.factFiveYears'),
    t('receipt.priceOf'),
  ]
  return (
    <Table caption={t('receipt.cost')} head={head} numeric={NUMBERS}>
      {rows.map(({ one, offer }) => (
        <Cost key={`${one.domain} ${offer.kind} ${offer.registrar}`} one={one} offer={offer} />
      ))}
    </Table>
  )
}

function Cost({ one, offer }: { readonly one: ConfirmedDomain; readonly offer: ReceiptOffer }) {
  const { t } = useText()
  const format = useFormat()
  const money = (minor: number) => format.money(minor, offer.currency)
  return (
    <tr>
      <th scope="row" className="px-4 py-3 text-start align-top font-medium">
        <Ltr className="font-mono">{one.domain}</Ltr>
        <Trap entry={{ ...entryOfReceipt(one), pricing: offer }} />
      </th>
      <td>
        <bdi translate="no">{nameOf(offer.registrar)}</bdi>
      </td>
      <td className="text-end tabular-nums">
        {money(offer.registration_minor)}
        {offer.years > 1 && (
          <span className="block text-sm text-faint">{t('search.factFirst', { years: offer.years })}</span>
        )}
      </td>
      <td className="text-end tabular-nums">{money(offer.renewal_minor)}</td>
      <td className="text-end font-semibold tabular-nums">{money(offer.total_5y_minor)}</td>
      <td>
        {format.date(offer.as_of)}
        {offer.outdated && <span className="block text-sm text-sale">{t('search.factOutdated')}</span>}
      </td>
    </tr>
  )
}
