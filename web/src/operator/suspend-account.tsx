/** Suspending an account, with a reason that its people see. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { suspendAccount } from '../api/operator.ts'
import type { AccountTotals } from '../api/operator.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { faultText } from '../ui/fault.tsx'
import { TextArea } from '../ui/field.tsx'
import { showToast } from '../ui/toast.tsx'

export function SuspendAccount({ of, onClose }: { readonly of: AccountTotals; readonly onClose: () => void }) {
  const { t } = useText()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const { name } = of
  const suspending = useMutation({
    mutationFn: () => suspendAccount(of.id, reason.trim()),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['operator', 'accounts'] })
      onClose()
      showToast({ text: t('operator.isSuspended', { name }) })
    },
  })
  return (
    <Dialog open onClose={onClose} title={t('operator.suspendTitle', { name })} description={t('operator.suspendText')}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          suspending.mutate()
        }}
      >
        <TextArea
          label={t('operator.suspendReason')}
          rows={3}
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        {suspending.error && (
          <p role="alert" className="text-wrong">
            {faultText(suspending.error)}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="danger" type="submit" busy={suspending.isPending}>
            {t('operator.suspend')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
