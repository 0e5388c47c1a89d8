import { Suspense } from 'react'
import { useAccount } from '../../api/session.ts'
import { useTlds } from '../../api/tlds.ts'
import { useText } from '../../i18n/i18n.ts'
import { usePreferences } from '../../preferences.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import type { Asked } from '../asked.ts'
import type { Edit } from './filter-popover.tsx'

export function PricePanel({ draft, edit }: { readonly draft: Asked; readonly edit: Edit }) {
  const { t } = useText()
  return (
    <div className="grid grid-cols-[1fr_7rem] gap-3">
      <TextField
        label={t('search.priceMax')}
        type="number"
        inputMode="decimal"
        min={1}
        step="any"
        defaultValue={draft.price}
        onChange={({ target }) => {
          const price = Number(target.value)
          edit({ price: price > 0 && price <= 1_000_000 ? price : undefined })
        }}
      />
      <Suspense>
        <Currency draft={draft} edit={edit} />
      </Suspense>
    </div>
  )
}

function Currency({ draft, edit }: { readonly draft: Asked; readonly edit: Edit }) {
  const { t } = useText()
  const { currency } = usePreferences()
  const account = useAccount()
  const usual = currency || (account?.currency ?? 'USD')
  const { data } = useTlds()
  const offered = new Set([usual, ...(data?.currencies ?? [])])
  return (
    <SelectField
      label={t('search.currency')}
      value={draft.currency ?? usual}
      onChange={({ target }) => edit({ currency: target.value === usual ? undefined : target.value })}
    >
      {[...offered].toSorted().map((code) => (
        <option key={code}>{code}</option>
      ))}
    </SelectField>
  )
}
