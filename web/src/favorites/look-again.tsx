/** Asks once more, now, and says what came of it. */
import type { DomainEntry } from 'namewright'
import { useState } from 'react'
import { useText } from '../i18n/i18n.ts'
import { useLookAgain } from '../search/actions/recheck.ts'
import { announce } from '../ui/announcer.tsx'
import { IconButton } from '../ui/button.tsx'
import { tell } from '../ui/toast.tsx'
import { knownStateOf, wordOf } from './state-badge.tsx'

export function LookAgain({ entry }: { readonly entry: DomainEntry }) {
  const { t } = useText()
  const look = useLookAgain()
  const [looking, setLooking] = useState(false)
  const start = async () => {
    if (looking) return
    setLooking(true)
    try {
      const { outcome, domain } = await look(entry)
      if (outcome === 'unseen') tell({ kind: 'failed', text: t('favorites.notSeen', { domain: entry.domain }) })
      else announce(t('favorites.seen', { domain: entry.domain, state: t(wordOf(knownStateOf(domain))) }))
    } finally {
      setLooking(false)
    }
  }
  return (
    <IconButton
      icon="refresh"
      label={t(looking ? 'favorites.looking' : 'favorites.look')}
      aria-disabled={looking}
      aria-busy={looking || undefined}
      onClick={() => void start()}
      className={looking ? 'animate-pulse' : ''}
    />
  )
}
