/** What everybody in the account shares: its name, its currency, its memory. Admins change it, others see it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { accountQuery, changeAccount } from '../../api/members.ts'
import type { AccountSettings } from '../../api/settings-types.ts'
import { isAtLeast, sessionQuery, type Account } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { Fault, fieldFault } from '../../ui/fault.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Notice, Section, Skeleton } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'
import { listCurrencies } from './currencies.ts'
import { HistoryFields } from './history-fields.tsx'
import { NameForm } from './name-form.tsx'

type Wish = Partial<Pick<AccountSettings, 'name' | 'currency' | 'history_days'>>

export function AccountFields({ account: { id, name, role } }: { readonly account: Account }) {
  const { t, language } = useText()
  const queries = useQueryClient()
  const query = accountQuery(id)
  const { data, error, refetch } = useQuery(query)
  const change = useMutation({
    mutationFn: (wish: Wish) => changeAccount(id, wish),
    onMutate: (wish) => {
      const before = queries.getQueryData(query.queryKey)
      if (before) queries.setQueryData(query.queryKey, { ...before, ...wish })
      return before
    },
    onSuccess: async (changed) => {
      queries.setQueryData(query.queryKey, changed)
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
    onError: (_error, _wish, before) => before && queries.setQueryData(query.queryKey, before),
  })
  const save = (wish: Wish) => change.mutate(wish, { onSuccess: () => showToast({ text: t('profile.saved') }) })
  const canChange = isAtLeast(role, 'admin')
  const wrongCurrency = fieldFault(change.error, '/currency')
  const isOther = change.error && wrongCurrency === undefined && fieldFault(change.error, '/name') === undefined
  return (
    <Section title={t('profile.account', { account: name })} description={t('profile.accountText')}>
      {!canChange && <Notice>{t('profile.adminsOnly')}</Notice>}
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <div aria-busy="true" className="grid max-w-md gap-4">
          <Skeleton className="h-18" />
          <Skeleton className="h-18" />
        </div>
      )}
      {data && (
        <div className="grid gap-6">
          <NameForm
            label={t('profile.accountName')}
            value={data.name}
            readOnly={!canChange}
            onSave={(wished) => change.mutateAsync({ name: wished })}
          />
          <SelectField
            className="max-w-md"
            label={t('profile.currency')}
            hint={t('profile.currencyText')}
            value={data.currency ?? ''}
            disabled={!canChange}
            wrong={wrongCurrency}
            onChange={({ target }) => save({ currency: target.value === '' ? null : target.value })}
          >
            <option value="">{t('profile.currencyDefault')}</option>
            {listCurrencies(language).map(({ code, name: currency }) => (
              <option key={code} value={code}>
                {t('profile.currencyOption', { code, currency })}
              </option>
            ))}
          </SelectField>
          <HistoryFields account={data} disabled={!canChange} onChange={(days) => save({ history_days: days })} />
          {isOther && <Fault error={change.error} />}
        </div>
      )}
    </Section>
  )
}
