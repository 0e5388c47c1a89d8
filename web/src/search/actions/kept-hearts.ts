/** Hearts of somebody who is not signed in: in this browser, with a word on how to keep them everywhere. */
import type { QueryClient } from '@tanstack/react-query'
import type { DomainEntry } from '@namewright/client'
import { say } from '../../i18n/i18n.ts'
import { showToast } from '../../ui/toast.tsx'
import { addHeart, hearts, MOST_HEARTS, removeHeart } from './hearts.ts'
import { recheck } from './recheck.ts'

export function toggleKept(queries: QueryClient, name: string, entry: DomainEntry, onSignIn: () => void): void {
  const signIn = () => ({ label: say('actions.signIn'), onSelect: onSignIn })

  const add = async () => {
    if (hearts.get().length >= MOST_HEARTS) {
      showToast({ text: say('actions.tooManyHearts', { most: MOST_HEARTS }), action: signIn() })
      return
    }
    const { domain, available, price, pricing } = entry
    addHeart({ name, domain, available, price, term_years: pricing?.term_years, kept_at: new Date().toISOString() })
    const { outcome } = await recheck(queries, entry)
    const text = outcome === 'gone' ? say('actions.keptHereGone', { domain }) : say('actions.keptHere')
    showToast({ text, action: signIn() })
  }
  const kept = hearts.get().find(({ domain }) => domain === entry.domain)
  if (!kept) return void add()
  removeHeart(kept.domain)
  showToast({
    text: say('actions.notKept', { domain: kept.domain }),
    many: 'actions.notKeptMany',
    onUndo: () => addHeart(kept),
  })
}
