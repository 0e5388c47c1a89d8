/**
 * To the operator's registrar, in a tab of its own, after a fresh look at the domain. Who opens it in a way of their own
 * (another window, a copied address) is not held up: they hear afterwards if it is gone.
 */
import type { DomainEntry } from 'namewright'
import { useState } from 'react'
import type { MouseEvent } from 'react'
import { useSession } from '../../api/session.ts'
import { say, useText } from '../../i18n/i18n.ts'
import { buttonLook } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { tell } from '../../ui/toast.tsx'
import { stateOf } from '../result.ts'
import { useLookAgain, useVerdict } from './recheck.ts'
import { isWithheld } from './withheld.ts'

export function RegisterLink({ domain: entry }: { readonly domain: DomainEntry }) {
  const { t } = useText()
  const { register_url: template } = useSession()
  const look = useLookAgain()
  const latest = useVerdict(entry)
  const [isLooking, setIsLooking] = useState(false)
  const { domain } = entry
  if (template === null || !['free', 'premium'].includes(stateOf(latest))) return null
  const url = template.replaceAll('{domain}', encodeURIComponent(domain))

  const open = () => void window.open(url, '_blank', 'noopener,noreferrer')
  const goOn = { label: say('actions.goOn'), onSelect: open }
  const follow = async (event: MouseEvent) => {
    const isTheirWay = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (!isTheirWay) event.preventDefault()
    if (isLooking) return
    setIsLooking(true)
    const looked = await look(latest)
    setIsLooking(false)
    if (isWithheld(looked, goOn.label, open) || isTheirWay) return
    // Some browsers open a tab only shortly after a press.
    const mayOpen = navigator.userActivation.isActive
    if (mayOpen) open()
    if (looked.outcome === 'unseen')
      tell({ text: say('actions.openedUnseen', { domain }), ...(mayOpen ? {} : { action: goOn }) })
    else if (!mayOpen) tell({ text: say('actions.stillFree', { domain }), action: goOn })
  }
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer noopener"
      aria-label={t('actions.register', { domain })}
      aria-busy={isLooking || undefined}
      onClick={(event) => void follow(event)}
      className={`${buttonLook('plain', true)} whitespace-nowrap`}
    >
      {t('actions.registerShort')}
      <Icon name="external" size={16} />
    </a>
  )
}
