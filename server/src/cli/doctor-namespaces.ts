/** The doctor's check of package registries and code hosts: each is asked once for an entry that exists. */
import { NAMESPACES } from '../availability/namespaces/all.ts'
import type { NamespaceDeclaration } from '../availability/namespaces/declaration.ts'
import { openNamespaces } from '../availability/namespaces/namespaces.ts'
import type { NamespaceRule } from '../model/namespace-verdict.ts'
import { createSourceHealth } from '../availability/source-health.ts'
import { CacheDown } from '../platform/cache/cache.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { notesOn } from './doctor/finding.ts'
import type { Finding } from './doctor/finding.ts'

const DEADLINE_MS = 8_000
// Findings of the nodes are not used: the check must show how the hosts respond to this machine now.
const NO_CACHE = {
  getMany: () => Promise.resolve([]),
  setMany: () => Promise.resolve(),
  run: () => Promise.reject(new CacheDown()),
}

export async function checkNamespaces(outbound: Outbound, now: () => number): Promise<readonly Finding[]> {
  const notes = notesOn('namespaces')
  const rules = await Promise.all(NAMESPACES.map((declaration) => ruleOf(declaration, outbound, now)))
  for (const [index, { title, host, name }] of NAMESPACES.entries()) {
    const rule = rules[index]
    if (rule === 'exists') notes.ok(`${title} responds`)
    else if (rule === 'rate_limited') notes.warning(`${title} rate-limits this machine`, 'try again in an hour')
    else if (rule === 'no_answer')
      notes.warning(
        `${title} is unreachable`,
        `allow outgoing connections to ${host}, or set NAMEWRIGHT_NAMESPACES=off`,
      )
    else notes.warning(`${title} does not respond as documented`, `namewright-server switch off ${name} until it does`)
  }
  return notes.list
}

async function ruleOf(
  declaration: NamespaceDeclaration,
  outbound: Outbound,
  now: () => number,
): Promise<NamespaceRule | undefined> {
  await using namespaces = await openNamespaces({
    declarations: [declaration],
    outbound,
    cache: NO_CACHE,
    nodes: 1,
    sourceHealth: createSourceHealth(now),
    isOff: () => false,
    now,
  })
  const [verdicts] = await namespaces.check([declaration.known], {
    groups: [declaration.group],
    deadlineMs: DEADLINE_MS,
    fresh: true,
    fairnessKey: '',
    signal: new AbortController().signal,
  })
  return verdicts?.[0]?.rule
}
