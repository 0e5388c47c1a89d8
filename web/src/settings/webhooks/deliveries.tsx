/** The log of one webhook, newest first, with what can be sent again. It refreshes while a delivery is pending. */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Delivery, Webhook } from 'namewright'
import { deliveriesQuery, replayDelivery } from '../../api/webhooks.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault, faultText } from '../../ui/fault.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Badge, Empty, Ltr, Skeleton } from '../../ui/layout.tsx'
import { Table } from '../../ui/table.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'
import { Outcome } from './outcome.tsx'
import { DELIVERY_STATES, eventText } from './words.ts'

const EVERY_MS = 5_000

export function Deliveries({ of, onClose }: { readonly of: Webhook; readonly onClose: () => void }) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...deliveriesQuery(account, of.id),
    refetchInterval: ({ state }) => (state.data?.pages[0]?.deliveries.some(isUnderWay) ? EVERY_MS : false),
  })
  const all = data?.pages.flatMap(({ deliveries }) => deliveries)
  return (
    <Dialog open wide onClose={onClose} title={t('webhooks.logTitle')} description={<Ltr>{of.url}</Ltr>}>
      <p className="text-sm text-faint">{t('webhooks.logText')}</p>
      <div aria-busy={!data && !error} className="grid grid-cols-1 gap-4">
        {error && <Fault error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton className="h-48" />}
        {all?.length === 0 && (
          <Empty icon="clock" title={t('webhooks.logNone')}>
            {t('webhooks.logNoneText')}
          </Empty>
        )}
        {all !== undefined && all.length > 0 && (
          <Table
            caption={t('webhooks.logTitle')}
            numeric={[2]}
            head={[
              t('webhooks.event'),
              t('webhooks.state'),
              t('webhooks.attempts'),
              t('webhooks.result'),
              <span key="act" className="sr-only">
                {t('webhooks.replay')}
              </span>,
            ]}
          >
            {all.map((delivery) => (
              <Row key={delivery.id} webhook={of} of={delivery} />
            ))}
          </Table>
        )}
        {hasNextPage && (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('webhooks.older')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

const isUnderWay = ({ state }: Delivery): boolean => state === 'pending'

function Row({ webhook, of }: { readonly webhook: Webhook; readonly of: Delivery }) {
  const { t } = useText()
  const format = useFormat()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const event = eventText(of.type)
  const eventName = event === undefined ? of.type : t(event)
  const { text, tone, icon } = DELIVERY_STATES[of.state]
  // What waits for another try can be sent now: after a fix of the server nobody has to wait for hours.
  const isFirstTry = isUnderWay(of) && of.attempts === 0
  const replaying = useMutation({
    mutationFn: () => replayDelivery(account, webhook.id, of.id),
    onSuccess: () => {
      showToast({ text: t('webhooks.replayed') })
      return queries.invalidateQueries({ queryKey: deliveriesQuery(account, webhook.id).queryKey })
    },
    onError: (error) => showToast({ kind: 'failed', text: faultText(error) }),
  })
  return (
    <tr>
      <td className="min-w-40">
        {eventName}
        <span className="block text-sm text-faint">{format.dateTime(of.created_at)}</span>
      </td>
      <td className="whitespace-nowrap">
        <Badge tone={tone}>
          <Icon name={icon} size={14} />
          {t(text)}
        </Badge>
        {of.next_at !== null && of.state === 'pending' && (
          <span className="mt-1 block text-sm text-faint">
            {t('webhooks.nextTry', { when: format.ago(of.next_at) })}
          </span>
        )}
      </td>
      <td className="text-end tabular-nums">{format.number(of.attempts)}</td>
      <td className="min-w-48">
        <Outcome of={of} />
      </td>
      <td>
        {of.type !== 'webhook.test' && (
          <Button
            small
            icon="refresh"
            busy={replaying.isPending}
            disabled={isFirstTry}
            aria-label={t('webhooks.replayNamed', { event: eventName })}
            onClick={() => replaying.mutate()}
          >
            {t('webhooks.replay')}
          </Button>
        )}
      </td>
    </tr>
  )
}
