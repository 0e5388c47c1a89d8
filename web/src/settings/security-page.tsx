/** How somebody gets in, and where they are in already. */
import { useText } from '../i18n/i18n.ts'
import { PageTitle } from '../ui/layout.tsx'
import { ChangePassword } from './security/change-password.tsx'
import { Passkeys } from './security/passkeys.tsx'
import { Sessions } from './security/sessions.tsx'
import { TwoFactor } from './security/two-factor.tsx'

export default function SecurityPage() {
  const { t } = useText()
  return (
    <>
      <PageTitle>{t('security.title')}</PageTitle>
      <div>
        <ChangePassword />
        <TwoFactor />
        <Passkeys />
        <Sessions />
      </div>
    </>
  )
}
