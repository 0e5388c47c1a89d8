/** The links of the register menu, with a price where a dated source has one, and what follows from pressing them. */
import type { DomainEntry } from '@namewright/client'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { useSession } from '../../api/session.ts'
import { useTlds } from '../../api/tlds.ts'
import { dotted, useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { suffixOf } from '../result.ts'
import { nameOf } from '../results/domain-facts.tsx'
import { linkOf, offersOf } from './offers.ts'
import type { Offer } from './offers.ts'
import { RegisterLink } from './register-link.tsx'

export function RegisterLinks({ entry, onFollow }: { readonly entry: DomainEntry; readonly onFollow: () => void }) {
  const { t } = useText()
  const { register_url: own, register_affiliate: isAffiliate, registrars, sandbox } = useSession()
  const suffix = suffixOf(entry.domain)
  const tlds = useTlds(entry.pricing?.currency).data?.tlds
  const { sold, searches } = offersOf(entry, tlds?.find((tld) => tld.suffix === suffix)?.pricing, registrars)
  return (
    <div className="grid gap-2">
      {own !== null && (
        <ul>
          <RegisterLink entry={entry} url={linkOf(own, entry.domain)} onFollow={onFollow}>
            {t('actions.registerAt', { registrar: new URL(own).hostname })}
            {isAffiliate && <Note>{t('actions.registerAffiliate')}</Note>}
          </RegisterLink>
        </ul>
      )}
      {/* Made-up domains are nothing to ask a real registrar for. */}
      {!sandbox && (
        <>
          <ul>
            {sold.map((offer) => (
              <RegisterLink key={offer.id} entry={entry} url={offer.url} onFollow={onFollow}>
                {t('actions.registerAt', { registrar: offer.registrar })}
                <Prices offer={offer} />
              </RegisterLink>
            ))}
          </ul>
          <Searches note={t('actions.registerSearches', { suffix: dotted(suffix) })}>
            {searches.map((offer) => (
              <RegisterLink key={offer.id} entry={entry} url={offer.url} onFollow={onFollow}>
                {t('actions.searchAt', { registrar: offer.registrar })}
              </RegisterLink>
            ))}
          </Searches>
        </>
      )}
      <p className="border-t border-line px-2 pt-2 text-sm text-faint">{t('actions.registerLeaves')}</p>
    </div>
  )
}

function Searches({ note, children }: { readonly note: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <div>
      <p id={id} className="border-t border-line px-2 pt-2 text-sm text-faint">
        {note}
      </p>
      <ul aria-labelledby={id} className="grid grid-cols-2 text-sm">
        {children}
      </ul>
    </div>
  )
}

function Note({ children }: { readonly children: ReactNode }) {
  return <span className="block text-sm text-faint">{children}</span>
}

function Price({ label, amount }: { readonly label: string; readonly amount: string }) {
  return (
    <Note>
      {label} <span className="font-medium text-ink tabular-nums">{amount}</span>
    </Note>
  )
}

function Prices({ offer: { pricing } }: { readonly offer: Offer }) {
  const { t } = useText()
  const format = useFormat()
  if (!pricing) return null
  const { due_minor: due, renewal_minor: renewal, currency, term_years: years, registrar, as_of: asOf } = pricing
  return (
    <>
      <Price label={t('search.factFirst', { years })} amount={format.money(due, currency)} />
      <Price label={t('search.factRenewal')} amount={format.money(renewal, currency)} />
      <Note>
        {t(pricing.kind === 'quote' ? 'search.factQuote' : 'search.factList', {
          // Keeps its own direction in a text that runs from right to left.
          registrar: `\u2068${nameOf(registrar)}\u2069`,
          date: format.date(asOf),
        })}
      </Note>
    </>
  )
}
