import type { DomainEntry } from '@namewright/client'
import { Ltr } from '../../ui/layout.tsx'
import { CopyDomain } from '../actions/copy-domain.tsx'
import { Heart } from '../actions/heart.tsx'
import { latestOf, useVerdict } from '../actions/recheck.ts'
import { RegisterMenu } from '../register/register-menu.tsx'
import { bestOf, suffixOf } from '../result.ts'
import type { Result } from '../result.ts'
import { NotKnown } from './facts.tsx'

/** The domain that one would take, and what can be done with it. */
export function ComparedBest({ result }: { readonly result: Result }) {
  const best = bestOf({ ...result, domains: result.domains.map(latestOf) })
  return best ? <Best name={result.name} domain={best} /> : <NotKnown />
}

function Best({ name, domain: suggested }: { readonly name: string; readonly domain: DomainEntry }) {
  const domain = useVerdict(suggested)
  const suffix = suffixOf(domain.domain)
  return (
    <div className="grid justify-items-start gap-1">
      <Ltr className="font-mono text-sm">
        {domain.domain.slice(0, -suffix.length - 1)}
        <wbr />
        {`.${suffix}`}
      </Ltr>
      <span className="-ms-2 flex">
        <Heart name={name} domain={domain} small />
        <CopyDomain domain={domain} small />
      </span>
      <RegisterMenu domain={domain} priced={false} />
    </div>
  )
}
