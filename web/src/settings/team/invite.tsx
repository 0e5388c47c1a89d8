/** Inviting somebody: their address and a role. Where the service sends no email, it shows the link. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { invitationsQuery, invite } from '../../api/members.ts'
import type { InvitedRole } from '../../api/members.ts'
import type { Account } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Fault, fieldFault } from '../../ui/fault.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { isAddress } from '../../welcome/form.ts'
import { ROLE_NAMES, ROLE_TEXTS } from './role-text.ts'

const INVITED: readonly InvitedRole[] = ['member', 'viewer', 'admin']

export function Invite({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const { t } = useText()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<InvitedRole>('member')
  const [isWrong, setWrong] = useState(false)
  const ask = useMutation({
    mutationFn: () => invite(account.id, { email: email.trim(), role }),
    onSuccess: async ({ link, email: invited }) => {
      if (link === undefined) {
        onClose()
        showToast({ text: t('team.invited', { email: invited }) })
      }
      await queries.invalidateQueries({ queryKey: invitationsQuery(account.id).queryKey })
    },
  })
  const link = ask.data?.link
  if (link !== undefined)
    return (
      <Dialog key="link" open mustDecide onClose={onClose} title={t('team.linkTitle')} description={t('team.linkText')}>
        <TextField label={t('team.link')} value={link} readOnly dir="ltr" onFocus={({ target }) => target.select()} />
        <DialogActions>
          <CopyButton text={link} small={false} />
          <Button kind="main" onClick={onClose}>
            {t('team.done')}
          </Button>
        </DialogActions>
      </Dialog>
    )
  const wrong = isWrong ? t('welcome.emailNeeded') : fieldFault(ask.error, '/email')
  return (
    <Dialog open onClose={onClose} title={t('team.invite')} description={t('team.inviteText')}>
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          setWrong(!isAddress(email.trim()))
          if (isAddress(email.trim())) ask.mutate()
        }}
      >
        <TextField
          label={t('team.email')}
          type="email"
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          value={email}
          wrong={wrong}
          onChange={({ target }) => setEmail(target.value)}
        />
        <SelectField
          label={t('team.role')}
          hint={t(ROLE_TEXTS[role])}
          value={role}
          onChange={({ target }) => setRole(target.value as InvitedRole)}
        >
          {INVITED.map((one) => (
            <option key={one} value={one}>
              {t(ROLE_NAMES[one])}
            </option>
          ))}
        </SelectField>
        {ask.error && wrong === undefined && <Fault error={ask.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" busy={ask.isPending}>
            {t('team.sendInvitation')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
