/** What is said when a second look finds that a domain is not what it was, in place of what was to be done. */
import { say } from '../../i18n/i18n.ts'
import { tell } from '../../ui/toast.tsx'
import type { Look } from './recheck.ts'

/** True when it has changed for the worse: it is said, and the reader may go on all the same. */
export function isWithheld({ outcome, domain: { domain, price } }: Look, act: string, goOn: () => void): boolean {
  if (outcome !== 'gone' && outcome !== 'premium') return false
  const text = outcome === 'gone' ? say('actions.gone', { domain }) : say('actions.nowPremium', { domain, price })
  tell({ text, action: { label: act, onSelect: goOn } })
  return true
}
