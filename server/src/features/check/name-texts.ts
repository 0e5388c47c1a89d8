/** Turns the results for names into response bodies. */
import type { Checked } from './check-domains.ts'
import type { NamespaceGroup, NamespaceVerdict } from '../../model/namespace-verdict.ts'
import { linksOf } from './name-links.ts'
import type { NamesCheckRequest } from './names-check-request.ts'
import { namespaceEntry } from '../../http/wire/namespace-entry.ts'
import { checkedEntry } from '../../http/wire/texts.ts'

/** The verdicts of each group, by the index of the name. */
export type GroupVerdicts = ReadonlyMap<NamespaceGroup, readonly (readonly NamespaceVerdict[])[]>

export function nameEntries({ names, include }: NamesCheckRequest, checked: readonly Checked[], groups: GroupVerdicts) {
  const perName = checked.length / names.length
  return names.map(({ input, label }, index) => ({
    input,
    label,
    domains: checked.slice(index * perName, (index + 1) * perName).map((one) => checkedEntry(one, include)),
    ...groupEntry(groups, 'packages', index),
    ...groupEntry(groups, 'code', index),
    ...(include.includes('links') ? { links: linksOf(input, label) } : {}),
  }))
}

function groupEntry<Group extends NamespaceGroup>(groups: GroupVerdicts, group: Group, index: number) {
  const entries = groups.get(group)?.[index]?.map(namespaceEntry)
  return (entries ? { [group]: entries } : {}) as { readonly [Name in Group]?: ReturnType<typeof namespaceEntry>[] }
}
