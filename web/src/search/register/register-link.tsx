/**
 * To a registrar, in a tab of its own, after a recheck of the domain. Opening it in another way (another window, a copied
 * address) does not wait: a toast follows if the domain is taken.
 */
import type { DomainEntry } from '@namewright/client'
import { useState } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { say, useText } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useRecheck } from '../actions/recheck.ts'
import { isWithheld } from '../actions/withheld.ts'

export function RegisterLink({
  entry,
  url,
  onFollow,
  children,
}: {
  readonly entry: DomainEntry
  readonly url: string
  readonly onFollow: () => void
  readonly children: ReactNode
}) {
  const { t } = useText()
  const recheck = useRecheck()
  const [isChecking, setIsChecking] = useState(false)
  const { domain } = entry
  const open = () => void window.open(url, '_blank', 'noopener,noreferrer')
  const goOn = { label: say('actions.goOn'), onSelect: open }
  const follow = async (event: MouseEvent) => {
    const isTheirWay = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (!isTheirWay) event.preventDefault()
    if (isChecking) return
    setIsChecking(true)
    const checked = await recheck(entry)
    setIsChecking(false)
    onFollow()
    if (isWithheld(checked, goOn.label, open) || isTheirWay) return
    // Some browsers open a tab only shortly after a press.
    const mayOpen = navigator.userActivation.isActive
    if (mayOpen) open()
    if (checked.outcome === 'unseen')
      showToast({ text: say('actions.openedUnseen', { domain }), ...(mayOpen ? {} : { action: goOn }) })
    else if (!mayOpen) showToast({ text: say('actions.stillFree', { domain }), action: goOn })
  }
  return (
    <li>
      <a
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        aria-busy={isChecking || undefined}
        onClick={(event) => void follow(event)}
        className="flex min-h-11 items-center justify-between gap-3 rounded-md px-2 py-1.5 text-ink no-underline hover:bg-sunken aria-busy:opacity-60"
      >
        <span>
          {children} <span className="sr-only">{t('actions.newTab')}</span>
        </span>
        <Icon name="external" size={16} className="text-faint" />
      </a>
    </li>
  )
}
