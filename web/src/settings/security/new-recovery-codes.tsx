/** New recovery codes; those from before are void at once. */
import { useMutation } from '@tanstack/react-query'
import { askAuth } from '../../api/auth.ts'
import { useText } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { PasswordStep } from './password-step.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export function NewRecoveryCodes({ onClose }: { readonly onClose: () => void }) {
  const { t } = useText()
  const make = useMutation({
    mutationFn: (password: string) =>
      askAuth<{ backupCodes: readonly string[] }>('/two-factor/generate-backup-codes', { password }),
  })
  if (make.data)
    return (
      <Dialog
        key="codes"
        open
        mustDecide
        onClose={onClose}
        title={t('security.codesTitle')}
        description={t('security.codesText')}
      >
        <RecoveryCodes codes={make.data.backupCodes} onSaved={onClose} />
      </Dialog>
    )
  return (
    <Dialog open onClose={onClose} title={t('security.newCodes')} description={t('security.newCodesText')}>
      <PasswordStep
        act={t('security.newCodes')}
        busy={make.isPending}
        error={make.error}
        onPassword={make.mutate}
        onClose={onClose}
      />
    </Dialog>
  )
}
