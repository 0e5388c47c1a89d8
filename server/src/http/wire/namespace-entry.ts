/** Turns verdicts about a name in package registries and at code hosts into response bodies. */
import type { NameHandles, NamespaceVerdict } from '../../model/namespace-verdict.ts'

/** **Invariant:** `available` is true only with the status `available`. */
export function namespaceEntry(verdict: NamespaceVerdict) {
  const { status, checkedAt, expiresAt, sources, url, rule, label, namespace } = verdict
  return {
    namespace,
    label,
    available: status === 'available',
    status,
    rule,
    ...(status === 'unknown' ? {} : { confidence: 'definitive' as const }),
    sources,
    checked_at: new Date(checkedAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
    url,
  }
}

export function handlesEntry({ packages, code }: NameHandles) {
  return { packages: packages.map(namespaceEntry), code: code.map(namespaceEntry) }
}
