import type { DomainEntry } from 'namewright'
import { CopyDomain } from './copy-domain.tsx'
import { RegisterLink } from './register-link.tsx'

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
      <RegisterLink domain={domain} />
    </span>
  )
}
