/** One webhook: URL, events, status and actions. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Webhook } from 'namewright'
import { changeWebhook, webhooksQuery } from '../../api/webhooks.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { faultText } from '../../ui/fault.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Badge, Card, Ltr } from '../../ui/layout.tsx'
import { Menu } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'
import { Fact, Facts } from '../programs/facts.tsx'
import { OffNote } from './off-note.tsx'
import { TestOutcome, useTest } from './try-out.tsx'
import { eventText, stateOf } from './words.ts'

export type WebhookAct = 'edit' | 'rotate' | 'delete' | 'log'

export function WebhookCard({ of, onAct }: { readonly of: Webhook; readonly onAct: (kind: WebhookAct) => void }) {
  const { t } = useText()
  const format = useFormat()
  const test = useTest(of)
  const switching = useSwitch(of)
  const state = stateOf(of)
  return (
    <Card className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="text-lg font-semibold">{of.description ?? new URL(of.url).host}</h2>
            <Badge tone={state.tone}>
              <Icon name={state.icon} size={14} />
              {t(state.text)}
            </Badge>
          </div>
          <Ltr className="font-mono text-sm text-faint">{of.url}</Ltr>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button small busy={test.isPending} onClick={() => test.mutate()}>
            {t('webhooks.test')}
          </Button>
          <Button small onClick={() => onAct('log')}>
            {t('webhooks.log')}
          </Button>
          <Menu
            label={t('webhooks.more', { url: of.url })}
            trigger={(props) => <IconButton icon="more" label={t('webhooks.more', { url: of.url })} {...props} />}
            entries={[
              { label: t('keys.edit'), icon: 'edit', onSelect: () => onAct('edit') },
              { label: t('webhooks.rotate'), icon: 'refresh', onSelect: () => onAct('rotate') },
              of.enabled
                ? { label: t('webhooks.switchOff'), icon: 'minus', onSelect: () => switching.mutate(false) }
                : { label: t('webhooks.switchOn'), icon: 'check', onSelect: () => switching.mutate(true) },
              'line',
              { label: t('webhooks.delete'), icon: 'trash', danger: true, onSelect: () => onAct('delete') },
            ]}
          />
        </div>
      </div>
      <OffNote of={of} busy={switching.isPending} onSwitchOn={() => switching.mutate(true)} />
      <Facts wide>
        <Fact label={t('webhooks.events')}>
          <ul className="flex flex-wrap gap-x-2 gap-y-1.5">
            {of.events.map((event) => {
              const text = eventText(event)
              return (
                <li key={event} className="rounded-sm border border-line px-2 py-0.5 text-sm">
                  {text === undefined ? event : t(text)}
                </li>
              )
            })}
          </ul>
        </Fact>
        <Fact label={t('keys.made')}>{format.date(of.created_at)}</Fact>
      </Facts>
      <TestOutcome test={test} />
    </Card>
  )
}

function useSwitch(of: Webhook) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const { queryKey } = webhooksQuery(account)
  return useMutation({
    mutationFn: (enabled: boolean) => changeWebhook(account, of.id, { enabled }),
    onSuccess: (changed) => {
      queries.setQueryData(queryKey, (all) => all?.map((one) => (one.id === changed.id ? changed : one)))
      showToast({ text: t(changed.enabled ? 'webhooks.isOn' : 'webhooks.isOff') })
    },
    onError: (error) => showToast({ kind: 'failed', text: faultText(error) }),
  })
}
