/** Parses the body of POST /v1/names/check, and validates what a schema cannot. */
import { ApiError } from '../../model/errors.ts'
import type { FieldError } from '../../model/errors.ts'
import { domainOf, findLabel } from '../../model/domain.ts'
import type { Label, Suffix } from '../../model/domain.ts'
import { NAMESPACE_GROUPS } from '../../model/namespace-verdict.ts'
import type { NamespaceGroup } from '../../model/namespace-verdict.ts'
import type { Prices } from '../../engines/prices/prices.ts'
import { parseSuffixes } from '../generate/generate-request.ts'
import type { IgnoredSuffix } from '../generate/generate-request.ts'
import { CHECK_INCLUDES } from '../../http/wire/texts.ts'

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
