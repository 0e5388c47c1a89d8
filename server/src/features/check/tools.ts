/** check: POST /v1/domains/check and POST /v1/names/check for agents. */
import { Type, type Static } from 'typebox'
import { briefDomain, briefVerdict, domainText, ignoredText, verdictsText } from '../../http/mcp/domain-line.ts'
import { defineTool, type Call } from '../../http/mcp/tool.ts'
import { namespaceEntry } from '../../http/wire/namespace-entry.ts'
import { closed } from '../../http/wire/schemas.ts'
import type { IgnoredSuffix } from '../../http/wire/suffixes.ts'
import { ApiError } from '../../model/errors.ts'
import { checkDomains } from './check-domains.ts'
import { linksOf, parseNamesCheckRequest, type NamesCheckRequest } from './check-names.ts'
import { CheckBody, MAX_DOMAINS, NamesBody } from './schemas.ts'
import { checkedEntry } from './shown.ts'

type Checked = ReturnType<typeof checkedEntry>

// The default deadline of the routes.
const DEADLINE_MS = 2_500
// Of names whose packages and accounts are looked up: each causes eleven requests.
const MAX_NAMES = 20
const LEAST_PART = 10
const INCLUDES = ['evidence', 'for_sale', 'packages', 'code', 'links'] as const

const { verify, country } = CheckBody.properties
const Input = Type.Object(
  {
    domains: Type.Optional(CheckBody.properties.domains),
    names: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 100 })),
    tlds: NamesBody.properties.tlds,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DOMAINS })),
    verify,
    country,
    include: Type.Optional(Type.Array(Type.Enum([...INCLUDES]), { uniqueItems: true })),
  },
  closed,
)
type Args = Static<typeof Input>

export const checkTool = defineTool({
  name: 'check',
  description:
    'Checks whether domains can be registered now, with price, renewal and link: `domains` spelled out, or `names` under each of `tlds`; up to 200 in all. ' +
    'Use it when somebody names a domain, asks who has it or what it costs, or before buying. ' +
    '`unknown` means that no source could say: never call it available. Any suffix can be checked; some have no price. Uses no quota of suggestions.',
  annotations: { readOnlyHint: true },
  scopes: ['domains:check'],
  input: Input,
  about: {
    domains: 'Such as mayfly.com.',
    names: `Such as mayfly or Blue Heron; at most ${MAX_NAMES} with packages or code.`,
    tlds: 'Suffixes or presets for `names`, or all.',
    limit: 'Stop when so many are available, premium ones not counted. Put the best first.',
    verify: 'full: ask again without caches, before buying.',
    country: 'Of the registrant, two letters.',
    include:
      'evidence: sources and times. for_sale: offers for taken domains. For names: packages (npm, PyPI, …), code (GitHub, GitLab): not found there is no proof; links: trademarks, social.',
  },
  async answer(args, call) {
    const ignored: IgnoredSuffix[] = []
    const ask = args.names && parseNames({ ...args, names: args.names }, call, ignored)
    const inputs = [...(args.domains ?? []), ...(ask?.domains ?? [])]
    if (inputs.length === 0)
      throw new ApiError('invalid_request', { fields: [{ pointer: '/domains', code: 'required' }] })
    if (inputs.length > MAX_DOMAINS) throw tooMany(args.domains ? '/domains' : '/names', MAX_DOMAINS)
    // Nothing is looked up before the checks are counted.
    await call.takeChecks(Math.min(partOf(args), inputs.length))
    const [checked, names] = await Promise.all([
      checkUntil(inputs, args, call),
      ask && (args.include ?? []).some(isAboutNames) ? namesOf(ask, call) : undefined,
    ])
    const left = inputs.length - checked.length
    const isEvident = args.include?.includes('evidence') ?? false
    return {
      data: {
        domains: checked.map((one) => ({ ...briefDomain(one), ...(isEvident ? evidenceOf(one) : {}), ...saleOf(one) })),
        ...(names ? { names } : {}),
        ...(left > 0 ? { not_checked: left } : {}),
        ...(ignored.length > 0 ? { ignored } : {}),
      },
      text: [
        ...checked.map((one) => lineOf(one, isEvident)),
        ...(names ?? []).map(nameText),
        ...(left > 0 ? [`${left} more were not checked`] : []),
        ...ignored.map(ignoredText),
      ].join('\n'),
    }
  },
})

function parseNames(args: Args & { names: string[] }, { ctx }: Call, ignored: IgnoredSuffix[]): NamesCheckRequest {
  const { names, tlds, include = [] } = args
  const about = include.filter(isAboutNames)
  if (about.length > 0 && names.length > MAX_NAMES) throw tooMany('/names', MAX_NAMES)
  const limits = { prices: ctx.prices, suffixes: ctx.config.suffixes, maxDomains: MAX_DOMAINS, ignored }
  return parseNamesCheckRequest({ names, include: about, ...(tlds ? { tlds } : {}) }, limits)
}

function isAboutNames(include: (typeof INCLUDES)[number]) {
  return include === 'packages' || include === 'code' || include === 'links'
}

/** How many domains are checked at once: with a limit only some, so that little is looked up that nobody needs. */
function partOf({ limit }: Args): number {
  return limit === undefined ? MAX_DOMAINS : Math.max(LEAST_PART, 2 * limit)
}

/** The checks of the first part are counted already. */
async function checkUntil(inputs: readonly string[], args: Args, call: Call): Promise<readonly Checked[]> {
  const { limit = Infinity } = args
  const size = partOf(args)
  const checked: Checked[] = []
  // Most budgets do not reach a premium price, so the agent would stop with nothing to register.
  const found = () => checked.filter(({ available, status }) => available && status !== 'premium').length
  for (let at = 0; at < inputs.length && found() < limit; at += size) {
    const part = inputs.slice(at, at + size)
    if (at > 0) await call.takeChecks(part.length)
    checked.push(...(await checkPart(part, args, call)))
  }
  return checked
}

async function checkPart(
  inputs: readonly string[],
  { verify: how = 'fast', country: from, include = [] }: Args,
  call: Call,
): Promise<readonly Checked[]> {
  const { ctx, caller, deadlineMs = DEADLINE_MS, signal } = call
  const options = {
    deadlineMs,
    fresh: how === 'full',
    forSale: include.includes('for_sale'),
    country: from,
    fairnessKey: caller.accountId,
  }
  const checked = await checkDomains(ctx, inputs, options, signal)
  return checked.map((one) => {
    const entry = checkedEntry(one, ['register'])
    return call.present?.(entry) ?? entry
  })
}

/** What else there is of each name. */
async function namesOf(
  { names, groups, include }: NamesCheckRequest,
  { ctx, caller, deadlineMs = DEADLINE_MS, signal }: Call,
) {
  const options = { deadlineMs, fresh: false, fairnessKey: caller.accountId, groups, signal }
  const labels = names.map(({ label }) => label)
  const verdicts = groups.length > 0 ? await ctx.namespaces.check(labels, options) : []
  return names.map(({ input, label }, index) => {
    const found = verdicts[index]?.map(namespaceEntry).map(briefVerdict)
    const links = include.includes('links') ? linksOf(input, label) : undefined
    return { name: input, ...(found ? { handles: found } : {}), ...(links ? { links } : {}) }
  })
}

function nameText({ name, handles = [], links = [] }: Awaited<ReturnType<typeof namesOf>>[number]): string {
  const parts = [...(handles.length > 0 ? [verdictsText(handles)] : []), ...links.map(({ url }) => url)]
  return `${JSON.stringify(name)}: ${parts.join(', ')}`
}

function evidenceOf({ confidence, sources, checked_at, expires_at, eligible_countries: countries }: Checked) {
  const known = confidence === undefined ? {} : { confidence }
  return { ...known, sources, checked_at, expires_at, ...(countries ? { eligible_countries: countries } : {}) }
}

function saleOf({ for_sale: sale }: Checked) {
  return sale === undefined ? {} : { for_sale: sale }
}

/** A text that is no domain stands in quotes, because a person may have written it. */
function lineOf(checked: Checked, isEvident: boolean): string {
  const { input, domain, status, for_sale: sale, sources, checked_at: at } = checked
  return [
    status === 'invalid' ? `${JSON.stringify(input)} not available (invalid)` : domainText({ ...checked, domain }),
    ...(sale === undefined ? [] : [`its owner says ${JSON.stringify(sale)}`]),
    ...(isEvident ? [`sources: ${sources.join(' ') || 'none'}, checked at ${at}`] : []),
  ].join(', ')
}

function tooMany(pointer: string, limit: number): ApiError {
  return new ApiError('invalid_request', { fields: [{ pointer, code: 'too_many', params: { limit } }] })
}
