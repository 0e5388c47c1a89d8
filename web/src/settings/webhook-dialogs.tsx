/** The dialogs of the webhooks, one at a time: create, edit, rotate, delete, and the log of deliveries. */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Delivery, Webhook, WebhookWithSecret } from '@namewright/client'
import { useRef, useState } from 'react'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  deliveriesQuery,
  replayDelivery,
  rotateWebhook,
  webhooksQuery,
} from '../api/webhooks.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import type { TextId } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Fault, faultText, fieldFault } from '../ui/fault.tsx'
import { CheckField, TextField } from '../ui/field.tsx'
import { Badge, Empty, Ltr, Skeleton } from '../ui/layout.tsx'
import type { BadgeTone } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { showToast } from '../ui/toast.tsx'
import { useCurrentAccount } from './frame/current-account.ts'
import { isFieldFault, useFirstWrong } from './programs/first-wrong.ts'
import { SecretOnce } from './programs/secret-once.tsx'

export type OpenDialog =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'rotate' | 'delete' | 'log'; readonly of: Webhook }
  | { readonly kind: 'secret'; readonly of: WebhookWithSecret }

const EVENTS: Readonly<Record<string, TextId>> = {
  'favorite.available': 'webhooks.favoriteAvailable',
  'favorite.taken': 'webhooks.favoriteTaken',
  'favorite.price_changed': 'webhooks.favoritePrice',
  'batch.completed': 'webhooks.batchCompleted',
  'quota.warning': 'webhooks.quotaWarning',
  'audit.entry': 'webhooks.auditEntry',
}
// Audit log entries are opt-in: they reveal what members do in the account.
const EVENTS_AT_FIRST = Object.keys(EVENTS).filter((event) => event !== 'audit.entry')

const ERRORS: Readonly<Record<string, TextId>> = {
  timeout: 'webhooks.errorTimeout',
  refused: 'webhooks.errorRefused',
  tls: 'webhooks.errorTls',
  too_large: 'webhooks.errorTooLarge',
  encoded: 'webhooks.errorEncoded',
  redirect: 'webhooks.errorRedirect',
  private_address: 'webhooks.errorPrivate',
  network: 'webhooks.errorNetwork',
  url_not_allowed: 'webhooks.errorUrl',
  secret_unreadable: 'webhooks.errorSecret',
}

const DELIVERY_STATES: Readonly<Record<Delivery['state'], { readonly text: TextId; readonly tone: BadgeTone }>> = {
  delivered: { text: 'webhooks.delivered', tone: 'free' },
  pending: { text: 'webhooks.pending', tone: 'unknown' },
  failed: { text: 'webhooks.failed', tone: 'wrong' },
}

const LOG_REFRESH_MS = 5_000

/** An event or failure that is not known here is shown as the service names it. */
function known(texts: Readonly<Record<string, TextId>>, name: string): TextId | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined
}

export function eventText(t: ReturnType<typeof useText>['t'], type: string): string {
  const text = type === 'webhook.test' ? 'webhooks.testEvent' : known(EVENTS, type)
  return text === undefined ? type : t(text)
}

/** What came of an attempt: the status that the receiver answered, or why there was none. */
export function Outcome({ of: { last_status, last_error, last_answer } }: { readonly of: Delivery }) {
  const { t } = useText()
  const error = last_error === null ? undefined : known(ERRORS, last_error)
  return (
    <div className="grid gap-1">
      {last_status !== null && <p>{t('webhooks.answered', { status: String(last_status) })}</p>}
      {last_error !== null && last_error !== 'status' && <p>{error === undefined ? last_error : t(error)}</p>}
      {last_answer !== null && last_answer !== '' && (
        <details>
          <summary className="min-h-6 text-sm text-faint underline underline-offset-4">
            {t('webhooks.showAnswer')}
          </summary>
          <pre dir="ltr" className="mt-1 max-h-40 overflow-auto rounded-sm bg-sunken p-2 text-sm whitespace-pre-wrap">
            <Ltr>{last_answer}</Ltr>
          </pre>
        </details>
      )}
    </div>
  )
}

export function WebhookDialogs({
  open,
  onOpen,
  onDeleted,
}: {
  readonly open: OpenDialog | undefined
  readonly onOpen: (next: OpenDialog | undefined) => void
  readonly onDeleted: () => void
}) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const saved = () => queries.invalidateQueries(webhooksQuery(account))
  const close = () => onOpen(undefined)
  const show = async (made: WebhookWithSecret) => {
    onOpen({ kind: 'secret', of: made })
    await saved()
  }
  switch (open?.kind) {
    case undefined:
      return null
    case 'create':
      return (
        <WebhookForm of={undefined} onClose={close} onSave={async (wish) => show(await createWebhook(account, wish))} />
      )
    case 'edit':
      return (
        <WebhookForm
          of={open.of}
          onClose={close}
          onSave={async (wish) => {
            await changeWebhook(account, open.of.id, wish)
            close()
            showToast({ text: t('webhooks.changed') })
            await saved()
          }}
        />
      )
    case 'rotate':
      return <RotateSecret of={open.of} onClose={close} onRotated={show} />
    case 'log':
      return <Deliveries of={open.of} onClose={close} />
    case 'delete':
      return (
        <DeleteWebhook
          of={open.of}
          onClose={close}
          onDeleted={async () => {
            await saved()
            close()
            onDeleted()
            showToast({ text: t('webhooks.deleted') })
          }}
        />
      )
    case 'secret':
      return (
        <SecretOnce
          title={t('webhooks.secretTitle')}
          description={t('webhooks.secretText')}
          label={t('webhooks.secret')}
          copy={t('apps.copySecret')}
          secret={open.of.secret}
          file={`NAMEWRIGHT_WEBHOOK_SECRET=${open.of.secret}\n`}
          onDone={close}
        />
      )
  }
}

function WebhookForm({
  of,
  onClose,
  onSave,
}: {
  /** Undefined for a new one. */
  readonly of: Webhook | undefined
  readonly onClose: () => void
  readonly onSave: (wish: object) => Promise<void>
}) {
  const { t } = useText()
  const [url, setUrl] = useState(of?.url ?? '')
  const [description, setDescription] = useState(of?.description ?? '')
  const [events, setEvents] = useState<readonly string[]>(of?.events ?? EVENTS_AT_FIRST)
  const form = useRef<HTMLFormElement>(null)
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => onSave({ url: url.trim(), events, description: description.trim() || null }),
  })
  useFirstWrong(form, error)
  const wrongEvents = fieldFault(error, '/events') && t('scopes.chooseOne')
  return (
    <Dialog
      open
      onClose={onClose}
      title={of ? t('webhooks.editTitle') : t('webhooks.newTitle')}
      description={of ? undefined : t('webhooks.newText')}
    >
      <form
        ref={form}
        noValidate
        className="grid gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        {error && !isFieldFault(error) && <Fault error={error} />}
        <TextField
          type="url"
          label={t('webhooks.url')}
          hint={t('webhooks.urlHint')}
          wrong={fieldFault(error, '/url')}
          value={url}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          placeholder="https://hooks.example.com/namewright"
          onChange={({ target }) => setUrl(target.value)}
        />
        <TextField
          label={t('webhooks.description')}
          hint={t('webhooks.descriptionHint')}
          wrong={fieldFault(error, '/description')}
          value={description}
          maxLength={200}
          autoComplete="off"
          onChange={({ target }) => setDescription(target.value)}
        />
        <fieldset className="grid gap-3">
          <legend className="mb-2 font-medium">{t('webhooks.events')}</legend>
          {Object.entries(EVENTS).map(([event, text]) => (
            <CheckField
              key={event}
              label={<span className="font-normal">{t(text)}</span>}
              hint={<Ltr className="font-mono">{event}</Ltr>}
              checked={events.includes(event)}
              aria-invalid={wrongEvents !== undefined || undefined}
              onChange={({ target }) =>
                setEvents(Object.keys(EVENTS).filter((one) => (one === event ? target.checked : events.includes(one))))
              }
            />
          ))}
          {wrongEvents !== undefined && <p className="text-sm text-wrong">{wrongEvents}</p>}
        </fieldset>
        <DialogActions>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" busy={isPending}>
            {of ? t('keys.save') : t('webhooks.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type Hours = '0' | '24' | '168'

function RotateSecret({
  of,
  onClose,
  onRotated,
}: {
  readonly of: Webhook
  readonly onClose: () => void
  readonly onRotated: (made: WebhookWithSecret) => Promise<void>
}) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const [hours, setHours] = useState<Hours>('24')
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => rotateWebhook(account, of.id, Number(hours)),
    onSuccess: onRotated,
  })
  return (
    <Dialog open onClose={onClose} title={t('webhooks.rotateTitle')} description={t('webhooks.rotateText')}>
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <Choice
          label={t('webhooks.grace')}
          value={hours}
          options={[
            { value: '0', label: t('keys.graceNone') },
            { value: '24', label: t('keys.graceDay') },
            { value: '168', label: t('keys.graceWeek') },
          ]}
          onChange={setHours}
        />
        {error && <Fault error={error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" busy={isPending}>
            {t('webhooks.rotateAct')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function DeleteWebhook({
  of,
  onClose,
  onDeleted,
}: {
  readonly of: Webhook
  readonly onClose: () => void
  readonly onDeleted: () => Promise<void>
}) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => deleteWebhook(account, of.id),
    onSuccess: onDeleted,
  })
  return (
    <Confirm
      open
      title={t('webhooks.deleteTitle')}
      description={
        <>
          <p>{t('webhooks.deleteText')}</p>
          <p className="mt-2 font-mono text-sm">
            <Ltr>{of.url}</Ltr>
          </p>
        </>
      }
      act={t('webhooks.deleteAct')}
      busy={isPending}
      wrong={error ? faultText(error) : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  )
}

/** Newest first. Refreshes while a delivery is pending. */
function Deliveries({ of, onClose }: { readonly of: Webhook; readonly onClose: () => void }) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...deliveriesQuery(account, of.id),
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.deliveries.some((one) => one.state === 'pending') ? LOG_REFRESH_MS : false,
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
              <DeliveryRow key={delivery.id} webhook={of} of={delivery} />
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

function DeliveryRow({ webhook, of }: { readonly webhook: Webhook; readonly of: Delivery }) {
  const { t } = useText()
  const format = useFormat()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const event = eventText(t, of.type)
  const { text, tone } = DELIVERY_STATES[of.state]
  const replaying = useMutation({
    mutationFn: () => replayDelivery(account, webhook.id, of.id),
    onSuccess: () => {
      showToast({ text: t('webhooks.replayed') })
      return queries.invalidateQueries(deliveriesQuery(account, webhook.id))
    },
    onError: (error) => showToast({ kind: 'failed', text: faultText(error) }),
  })
  return (
    <tr>
      <td className="min-w-40">
        {event}
        <span className="block text-sm text-faint">{format.dateTime(of.created_at)}</span>
      </td>
      <td className="whitespace-nowrap">
        <Badge tone={tone}>{t(text)}</Badge>
        {of.next_at !== null && webhook.enabled && (
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
            disabled={of.state === 'pending' && of.attempts === 0}
            aria-label={t('webhooks.replayNamed', { event })}
            onClick={() => replaying.mutate()}
          >
            {t('webhooks.replay')}
          </Button>
        )}
      </td>
    </tr>
  )
}
