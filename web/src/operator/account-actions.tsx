/** What the operator can do about an account: change its limits, suspend it, resume it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { resumeAccount } from '../api/operator.ts'
import type { AccountTotals } from '../api/operator.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { faultText } from '../ui/fault.tsx'
import { showToast } from '../ui/toast.tsx'
import { ChangeLimits } from './change-limits.tsx'
import { SuspendAccount } from './suspend-account.tsx'

export function AccountActions({ of }: { readonly of: AccountTotals }) {
  const { t } = useText()
  const queries = useQueryClient()
  const [open, setOpen] = useState<'limits' | 'suspend'>()
  const close = () => setOpen(undefined)
  const resuming = useMutation({
    mutationFn: () => resumeAccount(of.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['operator', 'accounts'] })
      showToast({ text: t('operator.isResumed', { name: of.name }) })
    },
    onError: (error) => showToast({ kind: 'failed', text: faultText(error) }),
  })
  return (
    <div className="flex gap-2">
      <Button small onClick={() => setOpen('limits')} aria-label={t('operator.limitsOf', { name: of.name })}>
        {t('operator.limits')}
      </Button>
      {of.suspended === null ? (
        <Button small onClick={() => setOpen('suspend')}>
          {t('operator.suspend')}
        </Button>
      ) : (
        <Button small busy={resuming.isPending} onClick={() => resuming.mutate()}>
          {t('operator.resume')}
        </Button>
      )}
      {open === 'limits' && <ChangeLimits of={of} onClose={close} />}
      {open === 'suspend' && <SuspendAccount of={of} onClose={close} />}
    </div>
  )
}
