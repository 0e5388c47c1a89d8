/** The profile of the person, and the settings of the current account. */
import { useQueryClient } from '@tanstack/react-query'
import { changeMe } from '../api/members.ts'
import { sessionQuery, useAccount, useSession } from '../api/session.ts'
import { useText } from '../i18n/i18n.ts'
import { TextField } from '../ui/field.tsx'
import { PageTitle, Section } from '../ui/layout.tsx'
import { AccountFields } from './profile/account-fields.tsx'
import { ChangeEmail } from './profile/change-email.tsx'
import { LanguageField } from './profile/language-field.tsx'
import { NameForm } from './profile/name-form.tsx'

export default function ProfilePage() {
  const { t } = useText()
  const queries = useQueryClient()
  const { person, mail } = useSession()
  const account = useAccount()
  if (!person || !account) return null
  const rename = async (name: string) => {
    await changeMe({ name })
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  return (
    <>
      <PageTitle>{t('profile.title')}</PageTitle>
      <div>
        <Section title={t('profile.you')}>
          <div className="grid gap-6">
            <NameForm
              label={t('profile.name')}
              hint={t('profile.nameText')}
              value={person.name}
              autoComplete="name"
              onSave={rename}
            />
            <div className="grid gap-3">
              <TextField
                className="max-w-md"
                label={t('profile.email')}
                hint={t('profile.emailText')}
                value={person.email}
                dir="ltr"
                readOnly
              />
              {mail && <ChangeEmail email={person.email} />}
            </div>
            <LanguageField />
          </div>
        </Section>
        <AccountFields account={account} />
      </div>
    </>
  )
}
