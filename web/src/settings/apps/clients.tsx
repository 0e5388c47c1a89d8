/** The applications that the account has registered, for its admins. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { clientsQuery } from '../../api/clients.ts'
import type { ClientWithSecret, OwnClient } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Empty, Section, Skeleton } from '../../ui/layout.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'
import { ClientCard, type ClientAct } from './client-card.tsx'
import { ClientFormDialog } from './client-form-dialog.tsx'
import { ClientSecretOnce } from './client-secret-once.tsx'
import { DeleteClient } from './delete-client.tsx'
import { RotateClient } from './rotate-client.tsx'

type Open =
  | { readonly kind: 'create' }
  | { readonly kind: ClientAct; readonly of: OwnClient }
  | { readonly kind: 'secret'; readonly of: OwnClient; readonly secret: string }

export function Clients() {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const { data, error, refetch } = useQuery(clientsQuery(account))
  const [open, setOpen] = useState<Open>()
  const [deleted, setDeleted] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  // What had the focus is gone.
  useEffect(() => {
    if (deleted > 0) list.current?.focus()
  }, [deleted])
  const close = () => setOpen(undefined)
  const show = (made: ClientWithSecret) =>
    setOpen(made.client_secret === undefined ? undefined : { kind: 'secret', of: made, secret: made.client_secret })
  return (
    <Section
      title={t('apps.yours')}
      description={t('apps.yoursText')}
      actions={
        <Button icon="plus" onClick={() => setOpen({ kind: 'create' })}>
          {t('apps.new')}
        </Button>
      }
    >
      <div ref={list} tabIndex={-1} aria-busy={!data && !error} className="grid grid-cols-1 gap-4 outline-none">
        {error && <Fault error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton className="h-40 rounded-lg" />}
        {data?.length === 0 && (
          <Empty icon="plug" title={t('apps.noneYours')}>
            {t('apps.noneYoursText')}
          </Empty>
        )}
        {data?.map((client) => (
          <ClientCard key={client.client_id} of={client} onAct={(kind) => setOpen({ kind, of: client })} />
        ))}
      </div>
      {open?.kind === 'create' && <ClientFormDialog of={undefined} onClose={close} onDone={show} />}
      {open?.kind === 'edit' && <ClientFormDialog of={open.of} onClose={close} onDone={close} />}
      {open?.kind === 'rotate' && <RotateClient of={open.of} onClose={close} onRotated={show} />}
      {open?.kind === 'secret' && <ClientSecretOnce of={open.of} secret={open.secret} onDone={close} />}
      {open?.kind === 'delete' && (
        <DeleteClient
          of={open.of}
          onClose={close}
          onDeleted={() => {
            close()
            setDeleted((count) => count + 1)
          }}
        />
      )}
    </Section>
  )
}
