/** The optional name of the voter, shown to the owner of the list. */
import { useEffect, useRef } from 'react'
import { giveVotes } from '../api/shares.ts'
import { useText } from '../i18n/i18n.ts'
import { TextField } from '../ui/field.tsx'
import { keepVoter, useVoter } from './voter.ts'

const PAUSE_MS = 1_000

export function VoterName({ token, hasVoted }: { readonly token: string; readonly hasVoted: boolean }) {
  const { t } = useText()
  const voter = useVoter()
  const sentName = useRef(voter.name)
  // Existing votes get the name, too. A failure needs no message: the next vote sends the name.
  useEffect(() => {
    if (!hasVoted || sentName.current === voter.name) return
    const timer = setTimeout(() => {
      sentName.current = voter.name
      giveVotes(token, voter.id, { name: voter.name, votes: {} }).catch(() => undefined)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [token, hasVoted, voter])
  return (
    <TextField
      label={t('share.yourName')}
      hint={t('share.yourNameHint')}
      className="max-w-sm"
      value={voter.name}
      maxLength={60}
      autoComplete="name"
      onChange={({ target }) => keepVoter({ name: target.value })}
    />
  )
}
