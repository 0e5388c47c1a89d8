/** The webhooks of the account, for its admins. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { webhooksQuery } from '../../api/webhooks.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Empty, PageTitle, Skeleton } from '../../ui/layout.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'
import { WebhookCard } from './webhook-card.tsx'
import { WebhookDialogs } from './webhook-dialogs.tsx'
import type { OpenDialog } from './webhook-dialogs.tsx'

export function Webhooks() {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const { data, error, refetch } = useQuery(webhooksQuery(account))
  const [open, setOpen] = useState<OpenDialog>()
  const [deleted, setDeleted] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  // What had the focus is gone.
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
          <WebhookCard key={webhook.id} of={webhook} onAct={(kind) => setOpen({ kind, of: webhook })} />
        ))}
      </div>
      <WebhookDialogs
        open={open}
        onOpen={setOpen}
        onDeleted={() => {
          setOpen(undefined)
          setDeleted((count) => count + 1)
        }}
      />
    </>
  )
}
