/** API keys: what lets programs in. Everybody in the account sees them; admins make, change, rotate and revoke them. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { keysQuery } from '../api/keys.ts'
import type { Key } from '../api/settings-types.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { Empty, Notice, PageTitle, Skeleton } from '../ui/layout.tsx'
import { useCurrentAccount } from './frame/current-account.ts'
import { EndedKeys } from './keys/ended-keys.tsx'
import { KeyCard } from './keys/key-card.tsx'
import { KeyDialogs } from './keys/key-dialogs.tsx'
import type { KeyAct, OpenDialog } from './keys/key-dialogs.tsx'

export default function KeysPage() {
  const { t } = useText()
  const { id: account, name, isAdmin, suspended } = useCurrentAccount()
  // The service refuses every change then; the page says so before anybody has filled in a form.
  const blocked = suspended ? t('shell.suspended', { name }) : undefined
  const { data: keys, error, refetch } = useQuery(keysQuery(account))
  const [open, setOpen] = useState<OpenDialog>()
  const [revoked, setRevoked] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  // The card that had the focus is gone, so the list takes it.
  useEffect(() => {
    if (revoked > 0) list.current?.focus()
  }, [revoked])
  const create = (
    <Button
      kind="main"
      icon="plus"
      disabled={blocked !== undefined}
      title={blocked}
      onClick={() => setOpen({ kind: 'create' })}
    >
      {t('keys.new')}
    </Button>
  )
  // Those that wait for a decision come first.
  const living = (keys ?? [])
    .filter(({ revoked_at }) => revoked_at === null)
    .toSorted((one, other) => Number(other.review !== null) - Number(one.review !== null))
  return (
    <>
      <PageTitle actions={isAdmin && living.length > 0 && create}>{t('keys.title')}</PageTitle>
      <p className="-mt-4 mb-6 max-w-[40rem] text-faint">{t('keys.about')}</p>
      <div ref={list} tabIndex={-1} className="grid grid-cols-1 gap-5 outline-none" aria-busy={!keys && !error}>
        {!isAdmin && <Notice>{t('keys.readOnly')}</Notice>}
        {error && <Fault error={error} onRetry={() => void refetch()} />}
        {!keys && !error && <Waiting />}
        {keys && living.length === 0 && (
          <Empty icon="key" title={t('keys.none')} action={isAdmin && create}>
            {t('keys.noneText')}
          </Empty>
        )}
        <Cards
          keys={living}
          mayChange={isAdmin}
          blocked={blocked}
          onAct={(kind, of) => setOpen({ kind, of })}
          onRevoked={() => setRevoked((count) => count + 1)}
        />
        <EndedKeys keys={keys?.filter(({ revoked_at }) => revoked_at !== null) ?? []} />
      </div>
      <p className="mt-8">
        <a href="/docs/reference" className="text-accent underline underline-offset-4">
          {t('shell.api')}
        </a>
      </p>
      <KeyDialogs
        open={open}
        onOpen={setOpen}
        onRevoked={() => {
          setOpen(undefined)
          setRevoked((count) => count + 1)
        }}
      />
    </>
  )
}

function Cards({
  keys,
  mayChange,
  blocked,
  onAct,
  onRevoked,
}: {
  readonly keys: readonly Key[]
  readonly mayChange: boolean
  readonly blocked: string | undefined
  readonly onAct: (kind: KeyAct, of: Key) => void
  readonly onRevoked: () => void
}) {
  const { t } = useText()
  if (keys.length === 0) return null
  return (
    <ul aria-label={t('keys.title')} className="grid grid-cols-1 gap-5">
      {keys.map((key) => (
        <li key={key.id}>
          <KeyCard of={key} mayChange={mayChange} blocked={blocked} onAct={onAct} onRevoked={onRevoked} />
        </li>
      ))}
    </ul>
  )
}

function Waiting() {
  return (
    <>
      <Skeleton className="h-64 rounded-lg" />
      <Skeleton className="h-64 rounded-lg" />
    </>
  )
}
