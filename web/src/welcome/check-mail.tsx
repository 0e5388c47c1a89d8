/** An email was sent: what to do next, and a button that resends it. */
import { useMutation } from '@tanstack/react-query'
import { sendVerification } from '../api/auth.ts'
import { useText } from '../i18n/i18n.ts'
import { Rich } from '../i18n/rich.tsx'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { Ltr } from '../ui/layout.tsx'
import { showToast } from '../ui/toast.tsx'

export function CheckMail({ email }: { readonly email: string }) {
  const { t } = useText()
  const again = useMutation({
    mutationFn: () => sendVerification(email),
    onSuccess: () => showToast({ text: t('welcome.sentAgain') }),
  })
  return (
    <div className="grid gap-5">
      <p>
        <Rich
          id="welcome.emailSent"
          values={{ email }}
          parts={[
            <Ltr key="0" className="font-medium">
              {null}
            </Ltr>,
          ]}
        />
      </p>
      <p className="text-faint">{t('welcome.emailLost')}</p>
      {again.error && <Fault error={again.error} />}
      <Button busy={again.isPending} onClick={() => again.mutate()}>
        {t('welcome.sendAgain')}
      </Button>
    </div>
  )
}
