/**
 * POST /v1/names/check: names under suffixes, and in the namespaces that the caller includes. Their domains are checked as
 * those of POST /v1/domains/check, at the same time as the namespaces.
 */
import type { Namespaces } from '../../engines/namespaces/namespaces.ts'
import type { Prices } from '../../engines/prices/prices.ts'
import { namespaceEntry } from '../../http/wire/namespace-entry.ts'
import { parseSuffixes, type IgnoredSuffix } from '../../http/wire/suffixes.ts'
import { domainOf, findLabel, type Label, type Suffix } from '../../model/domain.ts'
import { ApiError, type FieldError } from '../../model/errors.ts'
import { NAMESPACE_GROUPS, type NamespaceGroup, type NamespaceVerdict } from '../../model/namespace-verdict.ts'
import { checkDomains, type CheckContext, type Checked } from './check-domains.ts'
import { CHECK_INCLUDES, checkedEntry } from './shown.ts'

export const NAME_INCLUDES = [...NAMESPACE_GROUPS, 'links', ...CHECK_INCLUDES] as const
export type NameInclude = (typeof NAME_INCLUDES)[number]

export interface NamesCheckRequest {
  readonly names: readonly { readonly input: string; readonly label: Label }[]
  /** All domains of the first name, then those of the next. */
  readonly domains: readonly string[]
  readonly include: readonly NameInclude[]
  readonly groups: readonly NamespaceGroup[]
}

interface NamesLimits {
  readonly prices: Prices
  /** The operator's default. */
  readonly suffixes: readonly Suffix[]
  readonly maxDomains: number
  readonly ignored?: IgnoredSuffix[]
}

// Stands for every suffix on offer. No suffix has this name.
const ALL = 'all'

/** Throws invalid_request, which names every wrong field. */
export function parseNamesCheckRequest(
  body: { readonly names: readonly string[]; readonly tlds?: string[]; readonly include?: readonly NameInclude[] },
  { prices, suffixes: byDefault, maxDomains, ignored }: NamesLimits,
): NamesCheckRequest {
  const problems: FieldError[] = []
  const names = body.names.flatMap((input, index) => {
    const label = findLabel(input)
    if (label !== undefined) return [{ input, label }]
    problems.push({ pointer: `/names/${index}`, code: 'bad_format', params: { expected: 'mayfly, Blue Heron' } })
    return []
  })
  const isAll = body.tlds?.some((text) => text.toLowerCase() === ALL) ?? false
  const suffixes = isAll
    ? prices.list().map(({ suffix }) => suffix)
    : parseSuffixes(body, { prices, suffixes: byDefault, isCheck: true, ...(ignored ? { ignored } : {}) }, problems)
  if (body.names.length * suffixes.length > maxDomains)
    problems.push({
      pointer: '/tlds',
      code: 'too_many',
      params: { limit: Math.floor(maxDomains / body.names.length) },
    })
  if (problems.length > 0) throw new ApiError('invalid_request', { fields: problems })
  const { include = [] } = body
  return {
    names,
    domains: names.flatMap(({ label }) => suffixes.map((suffix) => domainOf(label, suffix))),
    include,
    groups: NAMESPACE_GROUPS.filter((group) => include.includes(group)),
  }
}

export interface NamesContext extends CheckContext {
  readonly namespaces: Pick<Namespaces, 'check'>
}

export interface NamesCheck {
  readonly deadlineMs: number
  readonly fresh: boolean
  /** Of the registrant. */
  readonly country?: string | undefined
  /** The key for fair queueing while it waits for budget. */
  readonly fairnessKey: string
}

/** Calls `onUpdate` with the index of a domain when it has a verdict. */
export async function checkNames(
  ctx: NamesContext,
  ask: NamesCheckRequest,
  { deadlineMs, fresh, country, fairnessKey }: NamesCheck,
  signal: AbortSignal,
  onUpdate?: (index: number, checked: Checked) => void,
) {
  const labels = ask.names.map(({ label }) => label)
  const options = { deadlineMs, fresh, fairnessKey }
  const [checked, ...verdicts] = await Promise.all([
    checkDomains(ctx, ask.domains, { ...options, country, forSale: false }, signal, onUpdate),
    ...ask.groups.map((group) => ctx.namespaces.check(labels, { ...options, groups: [group], signal })),
  ])
  return nameEntries(ask, checked, new Map(ask.groups.map((group, index) => [group, verdicts[index] ?? []])))
}

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

/**
 * Where a person can search for a name: trademark offices and social sites. They are never verdicts: the offices need a
 * person to judge similarity, and the sites allow no lookups by programs.
 *
 * The addresses are those of the sites' own search pages, as of 2026-11-17.
 */
const SITES = {
  uspto: (name) => `https://tmsearch.uspto.gov/search/search-results?query=${name}`,
  euipo: (name) => `https://euipo.europa.eu/eSearch/#basic/1+1+1+1/100+100+100+100/${name}`,
  wipo: (name) => `https://branddb.wipo.int/en/quicksearch?by=brandName&v=${name}`,
  x: (_, label) => `https://x.com/${label}`,
  instagram: (_, label) => `https://www.instagram.com/${label}/`,
  youtube: (_, label) => `https://www.youtube.com/@${label}`,
} as const satisfies Record<string, (name: string, label: string) => string>

export type LinkSite = keyof typeof SITES
export const LINK_SITES = Object.keys(SITES) as readonly LinkSite[]

/** `name` as it was sent, for offices; `label` as sites write user names. */
export function linksOf(name: string, label: string): readonly { readonly site: LinkSite; readonly url: string }[] {
  const encoded = encodeURIComponent(name.trim().toWellFormed())
  return LINK_SITES.map((site) => ({ site, url: SITES[site](encoded, label) }))
}
