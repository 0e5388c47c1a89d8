/** The toast when a recheck finds that a domain has changed, instead of the action. */
import { say } from '../../i18n/i18n.ts'
import { showToast } from '../../ui/toast.tsx'
import type { Recheck } from './recheck.ts'

/** True when it has changed for the worse: it is said, and the reader may go on all the same. */
export function isWithheld({ outcome, domain: { domain, price } }: Recheck, act: string, goOn: () => void): boolean {
  if (outcome !== 'gone' && outcome !== 'premium') return false
  const text = outcome === 'gone' ? say('actions.gone', { domain }) : say('actions.nowPremium', { domain, price })
  showToast({ text, action: { label: act, onSelect: goOn } })
  return true
}
