/** The name that stands behind the votes, for those who want to be known to whoever asked. */
import { useEffect, useRef } from 'react'
import { giveVotes } from '../api/shares.ts'
import { useText } from '../i18n/i18n.ts'
import { TextField } from '../ui/field.tsx'
import { keepVoter, useVoter } from './voter.ts'

const PAUSE_MS = 1_000

export function VoterName({ token, hasVoted }: { readonly token: string; readonly hasVoted: boolean }) {
  const { t } = useText()
  const voter = useVoter()
  const told = useRef(voter.name)
  // Votes that were given already get the name as well; nobody needs to hear of it when that fails: the next vote tells it.
  useEffect(() => {
    if (!hasVoted || told.current === voter.name) return
    const timer = setTimeout(() => {
      told.current = voter.name
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
