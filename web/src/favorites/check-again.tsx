/** Asks once more, now, and says what came of it. */
import type { DomainEntry } from '@namewright/client'
import { useState } from 'react'
import { useText } from '../i18n/i18n.ts'
import { useRecheck } from '../search/actions/recheck.ts'
import { announce } from '../ui/announcer.tsx'
import { IconButton } from '../ui/button.tsx'
import { showToast } from '../ui/toast.tsx'
import { knownStateOf, wordOf } from './state-badge.tsx'

export function CheckAgain({ entry }: { readonly entry: DomainEntry }) {
  const { t } = useText()
  const recheck = useRecheck()
  const [checking, setChecking] = useState(false)
  const start = async () => {
    if (checking) return
    setChecking(true)
    try {
      const { outcome, domain } = await recheck(entry)
      if (outcome === 'unseen') showToast({ kind: 'failed', text: t('favorites.notSeen', { domain: entry.domain }) })
      else announce(t('favorites.seen', { domain: entry.domain, state: t(wordOf(knownStateOf(domain))) }))
    } finally {
      setChecking(false)
    }
  }
  return (
    <IconButton
      icon="refresh"
      label={t(checking ? 'favorites.checking' : 'favorites.checkAgain')}
      aria-disabled={checking}
      aria-busy={checking || undefined}
      onClick={() => void start()}
      className={checking ? 'animate-pulse' : ''}
    />
  )
}
