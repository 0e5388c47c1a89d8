import type { DomainEntry } from '@namewright/client'
import { RegisterMenu } from '../register/register-menu.tsx'
import { CopyDomain } from './copy-domain.tsx'

/** Copy and register, each after a recheck of the domain. */
export function DomainActions({
  domain,
  small = false,
}: {
  readonly name: string
  readonly domain: DomainEntry
  readonly small?: boolean
}) {
  return (
    <span className="inline-flex items-center gap-1">
      <CopyDomain domain={domain} small={small} />
      <RegisterMenu domain={domain} />
    </span>
  )
}
