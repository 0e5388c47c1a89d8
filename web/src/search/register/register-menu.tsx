/**
 * The button that registers an available domain, with what is due today, and the menu of where: the operator's registrar first, then those known to sell the suffix, then
 * searches at others. What it lists is made when it opens: there is one of these on every tile.
 */
import type { DomainEntry } from '@namewright/client'
import { useId, useRef, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Hint } from '../../ui/hint.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useVerdict } from '../actions/recheck.ts'
import { stateOf } from '../result.ts'
import { RegisterLinks } from './register-links.tsx'

export function RegisterMenu({
  domain: entry,
  priced = true,
}: {
  readonly domain: DomainEntry
  /** False where the price stands beside it. */
  readonly priced?: boolean
}) {
  const { t } = useText()
  const format = useFormat()
  const { register_url: own, sandbox } = useSession()
  const latest = useVerdict(entry)
  const id = useId()
  const anchor = `--register-${id.replaceAll(/\W/g, '')}`
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  if (!['free', 'premium'].includes(stateOf(latest))) return null
  const { pricing, price } = latest
  const due = pricing ? format.money(pricing.due_minor, pricing.currency) : price
  const hasDue = priced && due !== ''
  const text = hasDue ? `${t('actions.registerShort')} · ${due}` : t('actions.registerShort')
  const title = t('actions.register', { domain: entry.domain })
  // Whoever speaks to the page says what they see.
  const label = hasDue ? `${text}, ${entry.domain}` : title
  const look = `${buttonClass('main', true)} whitespace-nowrap tabular-nums`
  if (sandbox && own === null)
    return (
      <Hint
        lazy
        about={(hinted) => (
          <button type="button" aria-disabled="true" aria-label={label} {...hinted} className={look}>
            {text}
          </button>
        )}
      >
        {t('actions.registerSandbox')}
      </Hint>
    )
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-label={label}
        style={{ anchorName: anchor }}
        className={look}
      >
        {text}
        <Icon name="down" size={16} />
      </button>
      <div
        ref={box}
        id={id}
        popover="auto"
        role="dialog"
        tabIndex={-1}
        aria-label={title}
        style={{ positionAnchor: anchor }}
        // The details that it may stand in have toggles of their own.
        onBeforeToggle={(event) => {
          event.stopPropagation()
          setOpen(event.newState === 'open')
          // Inside of the details the browser does not give the focus back itself.
          if (event.newState === 'closed' && box.current?.contains(document.activeElement))
            button.current?.focus({ preventScroll: true })
        }}
        onToggle={(event) => {
          event.stopPropagation()
          if (event.newState === 'open') (box.current?.querySelector('a') ?? box.current)?.focus()
        }}
        className="menu sheet border border-line bg-card p-2 text-base shadow-float focus:outline-none sm:w-96 sm:rounded-lg"
      >
        {isOpen && <RegisterLinks entry={latest} onFollow={() => box.current?.hidePopover()} />}
      </div>
    </>
  )
}
