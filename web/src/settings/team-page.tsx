/** The members of the current account. A personal account has one member; teams have several. */
import { useState } from 'react'
import { isAtLeast, useAccount } from '../api/session.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Empty, PageTitle } from '../ui/layout.tsx'
import { Invitations } from './team/invitations.tsx'
import { Leaving } from './team/leaving.tsx'
import { Members } from './team/members.tsx'
import { NewTeam } from './team/new-team.tsx'
import { RolesExplained } from './team/roles-explained.tsx'

export default function TeamPage() {
  const { t } = useText()
  const account = useAccount()
  const [creating, setCreating] = useState(false)
  if (!account) return null
  const create = (kind: 'main' | 'plain') => (
    <Button kind={kind} icon="people" onClick={() => setCreating(true)}>
      {t('team.newTeam')}
    </Button>
  )
  return (
    <>
      <PageTitle actions={!account.own && create('plain')}>{t('team.title')}</PageTitle>
      {account.own ? (
        <Empty icon="people" title={t('team.ownTitle')} action={create('main')}>
          {t('team.ownText')}
        </Empty>
      ) : (
        <div>
          <Members account={account} />
          {isAtLeast(account.role, 'admin') && <Invitations account={account} />}
          <RolesExplained />
          <Leaving account={account} />
        </div>
      )}
      {creating && <NewTeam onClose={() => setCreating(false)} />}
    </>
  )
}
