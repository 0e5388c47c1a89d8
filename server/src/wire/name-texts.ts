/** Turns the results for names into response bodies. */
import type { NamespaceGroup } from '../availability/namespaces/declaration.ts'
import type { NamespaceVerdict } from '../availability/namespaces/verdict.ts'
import type { Checked } from '../flows/check-domains.ts'
import { linksOf } from './name-links.ts'
import type { NamesCheckRequest } from './names-check-request.ts'
import { checkedEntry } from './texts.ts'

/** The verdicts of each group, by the index of the name. */
export type GroupVerdicts = ReadonlyMap<NamespaceGroup, readonly (readonly NamespaceVerdict[])[]>

export function nameEntries({ names, include }: NamesCheckRequest, checked: readonly Checked[], groups: GroupVerdicts) {
  const perName = checked.length / names.length
  return names.map(({ input, label }, index) => ({
    input,
    label,
    domains: checked.slice(index * perName, (index + 1) * perName).map(checkedEntry),
    ...groupEntry(groups, 'packages', index),
    ...groupEntry(groups, 'code', index),
    ...(include.includes('links') ? { links: linksOf(input, label) } : {}),
  }))
}

function groupEntry<Group extends NamespaceGroup>(groups: GroupVerdicts, group: Group, index: number) {
  const entries = groups.get(group)?.[index]?.map(verdictEntry)
  return (entries ? { [group]: entries } : {}) as { readonly [Name in Group]?: ReturnType<typeof verdictEntry>[] }
}

/** **Invariant:** `available` is true only with the status `available`. */
function verdictEntry({ status, checkedAt, expiresAt, sources, url, rule, label, namespace }: NamespaceVerdict) {
  const isUnknown = status === 'unknown'
  return {
    namespace,
    label,
    available: isUnknown ? status : status === 'available',
    status,
    rule,
    confidence: isUnknown ? 'likely' : 'definitive',
    sources,
    checked_at: new Date(checkedAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
    url,
  }
}
