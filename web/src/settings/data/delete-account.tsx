/** Deletes the person's account. It lists what is deleted and what stays, and requires the email address to confirm. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRefreshSession, useSession } from '../../api/session.ts'
import { askSettings } from '../../api/settings.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { forgetPerson } from '../../shell/use-sign-out.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { faultText } from '../../ui/fault.tsx'
import { Section } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'

export function DeleteAccount() {
  const { t } = useText()
  const email = useSession().person?.email ?? ''
  const navigate = useNavigate()
  const refresh = useRefreshSession()
  const [asked, setAsked] = useState(false)
  const go = useMutation({
    mutationFn: () => askSettings('/settings/me', { method: 'DELETE' }),
    onSuccess: async () => {
      setAsked(false)
      forgetPerson()
      await navigate({ to: '/' })
      await refresh()
      showToast({ text: t('data.deleted') })
    },
  })
  return (
    <Section title={t('data.delete')} description={t('data.deleteText')}>
      <ul className="grid max-w-[40rem] list-disc gap-1 ps-5 text-faint">
        <li>{t('data.goesAlone')}</li>
        <li>{t('data.goesKeys')}</li>
        <li>{t('data.staysShared')}</li>
        <li>{t('data.ownersFirst')}</li>
      </ul>
      <div>
        <Button kind="danger" icon="trash" onClick={() => setAsked(true)}>
          {t('data.deleteAct')}
        </Button>
      </div>
      <Confirm
        open={asked}
        title={t('data.deleteAct')}
        description={t('data.deleteSure')}
        act={t('data.deleteAct')}
        typed={email}
        busy={go.isPending}
        wrong={go.error ? faultText(go.error) : undefined}
        onConfirm={() => go.mutate()}
        onClose={() => {
          go.reset()
          setAsked(false)
        }}
      />
    </Section>
  )
}
