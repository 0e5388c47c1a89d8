/** Webhooks are for admins: a URL may hold a secret, and what a receiver responds is confidential. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Webhook } from '@namewright/client'
import { useEffect, useRef, useState } from 'react'
import { changeWebhook, testWebhook, webhooksQuery } from '../api/webhooks.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import type { TextId } from '../i18n/i18n.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Fault, faultText } from '../ui/fault.tsx'
import { Badge, Card, Empty, Ltr, Notice, PageTitle, Skeleton } from '../ui/layout.tsx'
import { Menu } from '../ui/menu.tsx'
import { showToast } from '../ui/toast.tsx'
import { useCurrentAccount } from './frame/current-account.ts'
import { Fact, Facts } from './programs/facts.tsx'
import { eventText, Outcome, WebhookDialogs } from './webhook-dialogs.tsx'
import type { OpenDialog } from './webhook-dialogs.tsx'

const OFF_TEXTS: Readonly<Record<NonNullable<Webhook['off_reason']>, TextId>> = {
  by_hand: 'webhooks.offByHand',
  failing: 'webhooks.offFailing',
  gone: 'webhooks.offGone',
  creator_lost_access: 'webhooks.offCreator',
}

export default function WebhooksPage() {
  const { t } = useText()
  const { name, isAdmin } = useCurrentAccount()
  if (isAdmin) return <Webhooks />
  return (
    <>
      <PageTitle>{t('webhooks.title')}</PageTitle>
      <Empty icon="shield" title={t('settings.adminsOnly')}>
        {t('settings.adminsOnlyText', { name })}
      </Empty>
    </>
  )
}

function Webhooks() {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const { data, error, refetch } = useQuery(webhooksQuery(account))
  const [open, setOpen] = useState<OpenDialog>()
  const [deleted, setDeleted] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  // The card that had the focus is gone, so the list takes it.
  useEffect(() => {
    if (deleted > 0) list.current?.focus()
  }, [deleted])
  const create = (
    <Button kind="main" icon="plus" onClick={() => setOpen({ kind: 'create' })}>
      {t('webhooks.new')}
    </Button>
  )
  return (
    <>
      <PageTitle actions={data && data.length > 0 && create}>{t('webhooks.title')}</PageTitle>
      <p className="-mt-4 mb-6 max-w-[40rem] text-faint">{t('webhooks.about')}</p>
      <div ref={list} tabIndex={-1} aria-busy={!data && !error} className="grid grid-cols-1 gap-5 outline-none">
        {error && <Fault error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton className="h-48 rounded-lg" />}
        {data?.length === 0 && (
          <Empty icon="hook" title={t('webhooks.none')} action={create}>
            {t('webhooks.noneText')}
          </Empty>
        )}
        {data?.map((webhook) => (
          <WebhookCard key={webhook.id} of={webhook} onOpen={setOpen} />
        ))}
      </div>
      <WebhookDialogs open={open} onOpen={setOpen} onDeleted={() => setDeleted((count) => count + 1)} />
    </>
  )
}

function WebhookCard({ of, onOpen }: { readonly of: Webhook; readonly onOpen: (dialog: OpenDialog) => void }) {
  const { t } = useText()
  const format = useFormat()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const test = useMutation({
    mutationFn: () => testWebhook(account, of.id),
    onSettled: () => queries.invalidateQueries(webhooksQuery(account)),
  })
  const switching = useMutation({
    mutationFn: () => changeWebhook(account, of.id, { enabled: !of.enabled }),
    onSuccess: () => {
      showToast({ text: t(of.enabled ? 'webhooks.isOff' : 'webhooks.isOn') })
      return queries.invalidateQueries(webhooksQuery(account))
    },
    onError: (error) => showToast({ kind: 'failed', text: faultText(error) }),
  })
  const more = t('webhooks.more', { url: of.url })
  const isAccepted = test.data?.state === 'delivered'
  return (
    <Card className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="text-lg font-semibold">{of.description ?? new URL(of.url).host}</h2>
            <State of={of} />
          </div>
          <Ltr className="font-mono text-sm text-faint">{of.url}</Ltr>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button small busy={test.isPending} onClick={() => test.mutate()}>
            {t('webhooks.test')}
          </Button>
          <Button small onClick={() => onOpen({ kind: 'log', of })}>
            {t('webhooks.log')}
          </Button>
          <Menu
            label={more}
            trigger={(props) => <IconButton icon="more" label={more} {...props} />}
            entries={[
              { label: t('keys.edit'), icon: 'edit', onSelect: () => onOpen({ kind: 'edit', of }) },
              { label: t('webhooks.rotate'), icon: 'refresh', onSelect: () => onOpen({ kind: 'rotate', of }) },
              {
                label: t(of.enabled ? 'webhooks.switchOff' : 'webhooks.switchOn'),
                icon: of.enabled ? 'minus' : 'check',
                onSelect: () => switching.mutate(),
              },
              'line',
              {
                label: t('webhooks.delete'),
                icon: 'trash',
                danger: true,
                onSelect: () => onOpen({ kind: 'delete', of }),
              },
            ]}
          />
        </div>
      </div>
      {of.off_reason !== null && (
        <Notice tone={of.off_reason === 'by_hand' ? 'info' : 'warn'}>{t(OFF_TEXTS[of.off_reason])}</Notice>
      )}
      {of.enabled && of.failing_since !== null && (
        <Notice tone="warn">{t('webhooks.failingSince', { when: format.ago(of.failing_since) })}</Notice>
      )}
      <Facts wide>
        <Fact label={t('webhooks.events')}>{format.list(of.events.map((event) => eventText(t, event)))}</Fact>
        <Fact label={t('keys.made')}>{format.date(of.created_at)}</Fact>
      </Facts>
      {test.isPending && (
        <p role="status" className="text-faint">
          {t('webhooks.testing')}
        </p>
      )}
      {test.error && <Fault error={test.error} onRetry={() => test.mutate()} />}
      {test.data && (
        <Notice
          tone={isAccepted ? 'done' : 'wrong'}
          alert
          title={t(isAccepted ? 'webhooks.testTaken' : 'webhooks.testFailed')}
        >
          <Outcome of={test.data} />
        </Notice>
      )}
    </Card>
  )
}

function State({ of: { enabled, failing_since } }: { readonly of: Webhook }) {
  const { t } = useText()
  if (!enabled) return <Badge tone="taken">{t('webhooks.off')}</Badge>
  if (failing_since === null) return <Badge tone="free">{t('webhooks.on')}</Badge>
  return <Badge tone="wrong">{t('webhooks.failing')}</Badge>
}
