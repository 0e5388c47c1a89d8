/**
 * Turning the second step on, in three steps: the password, the secret and a first code of the app, the recovery codes.
 * Until the code was right nothing has changed; the recovery codes are shown once, and only their own button goes on.
 */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { askAuth } from '../../api/auth.ts'
import { useRefreshSession } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toast.tsx'
import { FirstCode } from './first-code.tsx'
import { PasswordStep } from './password-step.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

interface Secret {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

export function TurnOn({ onClose }: { readonly onClose: () => void }) {
  const { t } = useText()
  const refresh = useRefreshSession()
  const [isProved, setProved] = useState(false)
  const begin = useMutation({ mutationFn: (password: string) => askAuth<Secret>('/two-factor/enable', { password }) })
  const finish = () => {
    onClose()
    showToast({ text: t('security.turnedOn') })
    void refresh()
  }
  const { data } = begin
  if (!data)
    return (
      <Dialog
        key="password"
        open
        onClose={onClose}
        title={t('security.turnOn')}
        description={t('security.turnOnPassword')}
      >
        <PasswordStep
          act={t('welcome.continue')}
          busy={begin.isPending}
          error={begin.error}
          onPassword={begin.mutate}
          onClose={onClose}
        />
      </Dialog>
    )
  return isProved ? (
    <Dialog
      key="codes"
      open
      mustDecide
      onClose={finish}
      title={t('security.codesTitle')}
      description={t('security.codesText')}
    >
      <RecoveryCodes codes={data.backupCodes} onSaved={finish} />
    </Dialog>
  ) : (
    <Dialog key="scan" open onClose={onClose} title={t('security.scanTitle')} description={t('security.scanText')}>
      <FirstCode uri={data.totpURI} onProved={() => setProved(true)} onClose={onClose} />
    </Dialog>
  )
}
