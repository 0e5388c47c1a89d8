/** Sends a test now, and says beside itself what came back. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Webhook } from 'namewright'
import { deliveriesQuery, testWebhook } from '../../api/webhooks.ts'
import { useText } from '../../i18n/i18n.ts'
import { Fault } from '../../ui/fault.tsx'
import { Notice } from '../../ui/layout.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'
import { Outcome } from './outcome.tsx'

export function useTest(of: Webhook) {
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => testWebhook(account, of.id),
    onSettled: () => queries.invalidateQueries({ queryKey: deliveriesQuery(account, of.id).queryKey }),
  })
}

export function TestOutcome({ test }: { readonly test: ReturnType<typeof useTest> }) {
  const { t } = useText()
  const { data, error, isPending } = test
  if (isPending)
    return (
      <p role="status" className="text-faint">
        {t('webhooks.testing')}
      </p>
    )
  if (error) return <Fault error={error} onRetry={() => test.mutate()} />
  if (!data) return null
  const isTaken = data.state === 'delivered'
  return (
    <Notice tone={isTaken ? 'done' : 'wrong'} alert title={t(isTaken ? 'webhooks.testTaken' : 'webhooks.testFailed')}>
      <Outcome of={data} />
    </Notice>
  )
}
