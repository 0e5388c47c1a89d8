/** From chosen favorites to a shared list: a title, a message, until when, with or without prices; then its link. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { makeShare } from '../api/shares.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Fault, fieldFault } from '../ui/fault.tsx'
import { CheckField, SelectField, TextField } from '../ui/field.tsx'
import { ShareLink } from './share-link.tsx'

const DAYS = [7, 30, 90, 365]
const DEFAULT_DAYS = 30

export function ShareDialog({
  account,
  favoriteIds,
  onClose,
  onShared,
}: {
  readonly account: string
  readonly favoriteIds: readonly string[]
  readonly onClose: () => void
  readonly onShared: () => void
}) {
  const { t } = useText()
  const format = useFormat()
  const queries = useQueryClient()
  const [title, setTitle] = useState('')
  const [message, setMessage] = useState('')
  const [days, setDays] = useState(DEFAULT_DAYS)
  const [showPrices, setShowPrices] = useState(true)
  const [missing, setMissing] = useState(false)
  const sharing = useMutation({
    mutationFn: () =>
      makeShare(account, {
        title: title.trim(),
        favorite_ids: favoriteIds,
        message: message.trim(),
        expires_in_days: days,
        show_prices: showPrices,
      }),
    onSuccess: async () => {
      onShared()
      await queries.invalidateQueries({ queryKey: ['shares', account] })
    },
  })
  if (sharing.data)
    return (
      <Dialog
        open
        onClose={onClose}
        title={t('favorites.shared')}
        description={t('favorites.sharedText', { date: format.date(sharing.data.expires_at) })}
      >
        <ShareLink url={sharing.data.url ?? ''} />
        <DialogActions>
          <Button onClick={onClose}>{t('shell.close')}</Button>
        </DialogActions>
      </Dialog>
    )
  const isEmpty = title.trim() === ''
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('favorites.shareTitle', { count: favoriteIds.length })}
      description={t('favorites.shareText')}
    >
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          setMissing(isEmpty)
          if (!isEmpty) sharing.mutate()
        }}
      >
        <TextField
          label={t('favorites.shareName')}
          hint={t('favorites.shareNameHint')}
          value={title}
          maxLength={100}
          wrong={missing && isEmpty ? t('favorites.shareNameMissing') : fieldFault(sharing.error, '/title')}
          onChange={({ target }) => setTitle(target.value)}
        />
        <TextField
          label={t('share.message')}
          hint={t('share.messageHint')}
          value={message}
          maxLength={200}
          wrong={fieldFault(sharing.error, '/message')}
          onChange={({ target }) => setMessage(target.value)}
        />
        <SelectField
          label={t('favorites.shareUntil')}
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
        >
          {DAYS.map((count) => (
            <option key={count} value={count}>
              {t('favorites.shareDays', { count, date: format.date(Date.now() + count * 86_400_000) })}
            </option>
          ))}
        </SelectField>
        <CheckField
          label={t('favorites.sharePrices')}
          checked={showPrices}
          onChange={({ target }) => setShowPrices(target.checked)}
        />
        {sharing.isError && <Fault error={sharing.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" busy={sharing.isPending}>
            {t('favorites.makeLink')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
