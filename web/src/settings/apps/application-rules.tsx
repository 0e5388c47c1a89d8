/** Which applications may connect: a policy for all of them, and a rule for each that is connected or was decided about. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { applicationRulesQuery, changePolicy, changeRule } from '../../api/applications.ts'
import type {
  ApplicationPolicy,
  ApplicationRules as Rules,
  ApplicationDecision,
  Grant,
} from '../../api/settings-types.ts'
import { grantsQuery, WEB_APP } from '../../api/grants.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceField } from '../../ui/choice-field.tsx'
import { Fault, faultText } from '../../ui/fault.tsx'
import { TextField } from '../../ui/field.tsx'
import { Section, Skeleton } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'
import { ApplicationRule, type Decidable } from './application-rule.tsx'

export function ApplicationRules() {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const { queryKey, ...query } = applicationRulesQuery(account)
  const { data, error, refetch } = useQuery({ queryKey, ...query })
  const { data: grants } = useQuery(grantsQuery(account))
  const [added, setAdded] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const saving = useMutation({
    mutationFn: (save: () => Promise<Rules>) => save(),
    onSuccess: (rules) => {
      queries.setQueryData(queryKey, rules)
      // What the rules forbid has lost its access.
      void queries.invalidateQueries({ queryKey: grantsQuery(account).queryKey })
      showToast({ text: t('apps.rulesSaved') })
      // The button that was pressed is gone, so the list takes the focus.
      if (document.activeElement === document.body) list.current?.focus()
    },
  })
  const decide = (client: string, decision: ApplicationDecision | null) =>
    saving.mutate(() => changeRule(account, client, decision))
  const apps = data ? decidable(data, grants ?? []) : []
  return (
    <Section title={t('apps.rulesTitle')} description={t('apps.rulesText')}>
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-40 rounded-lg" />}
      {data && (
        <div className="grid grid-cols-1 gap-6">
          <ChoiceField<ApplicationPolicy>
            label={t('apps.policy')}
            hint={t('apps.policyHint')}
            value={data.policy}
            choices={[
              { value: 'any', label: t('apps.policyAny') },
              { value: 'listed', label: t('apps.policyListed') },
            ]}
            onChange={(policy) => saving.mutate(() => changePolicy(account, policy))}
          />
          {apps.length === 0 && <p className="text-faint">{t('apps.rulesEmpty')}</p>}
          {apps.length > 0 && (
            <ul
              ref={list}
              tabIndex={-1}
              aria-label={t('apps.rulesTitle')}
              className="divide-y divide-line rounded-lg border border-line bg-card outline-none"
            >
              {apps.map((app) => (
                <ApplicationRule key={app.client} of={app} busy={saving.isPending} onDecide={decide} />
              ))}
            </ul>
          )}
          <form
            className="flex flex-wrap items-end gap-3"
            onSubmit={(event) => {
              event.preventDefault()
              if (added.trim() !== '') decide(added.trim(), 'allowed')
            }}
          >
            <TextField
              className="min-w-0 flex-1 basis-60"
              label={t('apps.ruleAdd')}
              dir="ltr"
              value={added}
              onChange={({ target }) => setAdded(target.value)}
              wrong={saving.error ? faultText(saving.error) : undefined}
            />
            <Button type="submit" busy={saving.isPending}>
              {t('apps.ruleAddAct')}
            </Button>
          </form>
        </div>
      )}
    </Section>
  )
}

/** Those with a rule, and those that are connected and are neither ours nor the account's own. */
function decidable({ rules }: Rules, grants: readonly Grant[]): readonly Decidable[] {
  const decided = rules.map(({ client_id: client, name, decision }) => ({ client, name, decision }))
  const isDecided = new Set(decided.map(({ client }) => client))
  const connected = grants.filter(
    ({ client_id, own, revoked_at }) =>
      revoked_at === null && !own && client_id !== WEB_APP && !isDecided.has(client_id),
  )
  return [...decided, ...connected.map(({ client_id: client, name }) => ({ client, name, decision: undefined }))]
}
