/** Offers for a taken domain, asked for on demand: the record of its owner, and aftermarket vendors. */
import type { CheckedDomain } from '@namewright/client'
import { useEffect, useRef, useState } from 'react'
import { useClient } from '../../api/client.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'

const DEADLINE_MS = 5_000

type State = CheckedDomain | 'idle' | 'asking' | 'failed'

interface SaleProps {
  readonly domain: string
}

export default function SaleRow({ domain }: SaleProps) {
  const { t } = useText()
  const client = useClient()
  const [state, setState] = useState<State>('idle')
  const box = useRef<HTMLDivElement>(null)
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const checked = typeof state === 'object' ? state : undefined
  useEffect(() => {
    if (checked) box.current?.focus()
  }, [checked])

  async function ask() {
    if (!client) return
    setState('asking')
    const { signal } = (abort.current = new AbortController())
    const body = { domains: [domain], for_sale: true, deadline_ms: DEADLINE_MS }
    const found = await client.check(body, { signal }).catch(() => [])
    if (!signal.aborted) setState(found[0] ?? 'failed')
  }

  if (checked)
    return (
      <div ref={box} tabIndex={-1} role="group" aria-label={t('sale.title')} className="grid gap-1 focus:outline-none">
        <Offers sale={checked.for_sale} />
      </div>
    )
  return (
    <div className="grid justify-items-start gap-1">
      {state === 'failed' && <p role="alert">{t('handles.failed')}</p>}
      <Button small onClick={() => void ask()} busy={state === 'asking'}>
        {t('sale.check')}
      </Button>
    </div>
  )
}

function Offers({ sale }: { readonly sale: CheckedDomain['for_sale'] }) {
  const { t } = useText()
  const format = useFormat()
  if (!sale) return <p>{t('sale.none')}</p>
  const { offers = [], text, uri } = sale
  return (
    <>
      <p className="font-semibold text-sale">{t('sale.title')}</p>
      <ul>
        {offers.map(({ source, vendor = source, amount_minor: minor, currency }) => {
          const price = format.money(minor, currency)
          return (
            <li key={`${vendor} ${minor}`}>
              {source === 'dns' ? t('sale.owner', { price }) : t('sale.vendor', { vendor, price })}
            </li>
          )
        })}
      </ul>
      {text !== undefined && (
        <p dir="auto" translate="no">
          {text}
        </p>
      )}
      {uri !== undefined && (
        <a
          href={uri}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-8 items-center underline justify-self-start pointer-coarse:min-h-11"
        >
          {t('sale.page')}
        </a>
      )}
      <p className="text-faint">{t('sale.note')}</p>
    </>
  )
}
