/** Turning the second step off takes the password. */
import { useMutation } from '@tanstack/react-query'
import { askAuth } from '../../api/auth.ts'
import { useRefreshSession } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toast.tsx'
import { PasswordStep } from './password-step.tsx'

export function TurnOff({ onClose }: { readonly onClose: () => void }) {
  const { t } = useText()
  const refresh = useRefreshSession()
  const off = useMutation({
    mutationFn: (password: string) => askAuth('/two-factor/disable', { password }),
    onSuccess: () => {
      onClose()
      showToast({ text: t('security.turnedOff') })
      void refresh()
    },
  })
  return (
    <Dialog open onClose={onClose} title={t('security.turnOff')} description={t('security.turnOffText')}>
      <PasswordStep
        act={t('security.turnOff')}
        danger
        busy={off.isPending}
        error={off.error}
        onPassword={off.mutate}
        onClose={onClose}
      />
    </Dialog>
  )
}
