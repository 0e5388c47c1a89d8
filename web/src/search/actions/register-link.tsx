/**
 * To the operator's registrar, in a tab of its own, after a recheck of the domain. Opening it in another way
 * (another window, a copied address) does not wait: a toast follows if the domain is taken.
 */
import type { DomainEntry } from 'namewright'
import { useState } from 'react'
import type { MouseEvent } from 'react'
import { useSession } from '../../api/session.ts'
import { say, useText } from '../../i18n/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { showToast } from '../../ui/toast.tsx'
import { stateOf } from '../result.ts'
import { useRecheck, useVerdict } from './recheck.ts'
import { isWithheld } from './withheld.ts'

export function RegisterLink({ domain: entry }: { readonly domain: DomainEntry }) {
  const { t } = useText()
  const { register_url: template } = useSession()
  const recheck = useRecheck()
  const latest = useVerdict(entry)
  const [isChecking, setIsChecking] = useState(false)
  const { domain } = entry
  if (template === null || !['free', 'premium'].includes(stateOf(latest))) return null
  const url = template.replaceAll('{domain}', encodeURIComponent(domain))

  const open = () => void window.open(url, '_blank', 'noopener,noreferrer')
  const goOn = { label: say('actions.goOn'), onSelect: open }
  const follow = async (event: MouseEvent) => {
    const isTheirWay = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (!isTheirWay) event.preventDefault()
    if (isChecking) return
    setIsChecking(true)
    const checked = await recheck(latest)
    setIsChecking(false)
    if (isWithheld(checked, goOn.label, open) || isTheirWay) return
    // Some browsers open a tab only shortly after a press.
    const mayOpen = navigator.userActivation.isActive
    if (mayOpen) open()
    if (checked.outcome === 'unseen')
      showToast({ text: say('actions.openedUnseen', { domain }), ...(mayOpen ? {} : { action: goOn }) })
    else if (!mayOpen) showToast({ text: say('actions.stillFree', { domain }), action: goOn })
  }
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer noopener"
      aria-label={t('actions.register', { domain })}
      aria-busy={isChecking || undefined}
      onClick={(event) => void follow(event)}
      className={`${buttonClass('plain', true)} whitespace-nowrap`}
    >
      {t('actions.registerShort')}
      <Icon name="external" size={16} />
    </a>
  )
}
