/** A further account, for people who work together. The creator becomes its owner and switches to it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createAccount } from '../../api/members.ts'
import { sessionQuery } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { setPreferences } from '../../preferences.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Fault, fieldFault } from '../../ui/fault.tsx'
import { TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'

export function NewTeam({ onClose }: { readonly onClose: () => void }) {
  const { t } = useText()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => createAccount(name.trim()),
    onSuccess: async ({ id, name: made }) => {
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      onClose()
      setPreferences({ account: id })
      showToast({ text: t('team.created', { account: made }) })
    },
  })
  const wrong = fieldFault(create.error, '/name')
  return (
    <Dialog open onClose={onClose} title={t('team.newTeam')} description={t('team.newTeamText')}>
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') create.mutate()
        }}
      >
        <TextField
          label={t('team.teamName')}
          value={name}
          onChange={({ target }) => setName(target.value)}
          required
          maxLength={100}
          autoComplete="organization"
          wrong={wrong}
        />
        {create.error && wrong === undefined && <Fault error={create.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" busy={create.isPending} disabled={name.trim() === ''}>
            {t('team.createTeam')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
