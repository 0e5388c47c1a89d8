import type { DomainEntry } from '@namewright/client'
import { useText } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/button.tsx'
import { useHearting, useIsHearted } from './use-heart.ts'

/** Keeps the domain, and watches one that cannot be registered: a press more lets it go. */
export function Heart({
  name,
  domain,
  small = false,
}: {
  readonly name: string
  readonly domain: DomainEntry
  readonly small?: boolean
}) {
  const { t } = useText()
  const isOn = useIsHearted(domain.domain)
  const toggle = useHearting()
  return (
    <IconButton
      icon="heart"
      label={t(domain.available ? 'actions.heart' : 'actions.watch', { domain: domain.domain })}
      aria-pressed={isOn}
      filled={isOn}
      small={small}
      onClick={() => toggle(name, domain)}
      data-heart={domain.domain}
    />
  )
}
