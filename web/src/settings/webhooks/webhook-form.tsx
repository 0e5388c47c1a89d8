/** Where to, and what of. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Webhook, WebhookWithSecret } from 'namewright'
import { useRef, useState } from 'react'
import { changeWebhook, createWebhook, EVENTS, webhooksQuery } from '../../api/webhooks.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Fault, fieldFault } from '../../ui/fault.tsx'
import { TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'
import { isFieldFault, useFirstWrong } from '../programs/first-wrong.ts'
import { EventPicker } from './event-picker.tsx'

// Audit log entries are opt-in: they reveal what members do in the account.
const EVENTS_AT_FIRST = EVENTS.filter((event) => event !== 'audit.entry')

export function WebhookForm({
  of,
  onClose,
  onMade,
}: {
  /** Undefined for a new one. */
  readonly of: Webhook | undefined
  readonly onClose: () => void
  readonly onMade: (made: WebhookWithSecret) => void
}) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const [url, setUrl] = useState(of?.url ?? '')
  const [description, setDescription] = useState(of?.description ?? '')
  const [events, setEvents] = useState<readonly string[]>(of?.events ?? EVENTS_AT_FIRST)
  const form = useRef<HTMLFormElement>(null)
  const saving = useMutation({
    mutationFn: async () => {
      const wish = { url: url.trim(), events, description: description.trim() || null }
      if (!of) return onMade(await createWebhook(account, wish))
      await changeWebhook(account, of.id, wish)
      onClose()
      showToast({ text: t('webhooks.changed') })
    },
    onSuccess: () => void queries.invalidateQueries({ queryKey: webhooksQuery(account).queryKey, exact: true }),
  })
  const { error } = saving
  useFirstWrong(form, error)
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
          saving.mutate()
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
        <EventPicker
          chosen={events}
          wrong={fieldFault(error, '/events') && t('scopes.chooseOne')}
          onChange={setEvents}
        />
        <DialogActions>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" busy={saving.isPending}>
            {of ? t('keys.save') : t('webhooks.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
