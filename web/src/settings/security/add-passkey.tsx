/** A passkey gets its name here, and the rest is between the browser and its owner. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'
import { addPasskey, isCalledOff } from '../../welcome/passkey.ts'
import { systemOf } from './browser-name.ts'
import { passkeysQuery } from './passkeys-query.ts'

export function AddPasskey({ onClose }: { readonly onClose: () => void }) {
  const { t } = useText()
  const queries = useQueryClient()
  const [name, setName] = useState(systemOf(navigator.userAgent) ?? '')
  const add = useMutation({
    mutationFn: () => addPasskey(name.trim()),
    onSuccess: async () => {
      onClose()
      showToast({ text: t('security.passkeyAdded') })
      await queries.invalidateQueries({ queryKey: passkeysQuery.queryKey })
    },
  })
  const isClosed = isCalledOff(add.error)
  return (
    <Dialog open onClose={onClose} title={t('security.addPasskey')} description={t('security.addPasskeyText')}>
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') add.mutate()
        }}
      >
        <TextField
          label={t('security.passkeyName')}
          hint={t('security.passkeyNameHint')}
          value={name}
          onChange={({ target }) => setName(target.value)}
          required
          autoComplete="off"
          maxLength={60}
        />
        {isClosed && <Notice>{t('security.passkeyClosed')}</Notice>}
        {add.error && !isClosed && <Fault error={add.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" busy={add.isPending} disabled={name.trim() === ''}>
            {t('security.addPasskey')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
