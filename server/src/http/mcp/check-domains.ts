/** check_domains: POST /v1/domains/check for agents. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { checkDomains } from '../../flows/check-domains.ts'
import { CheckAnswer, CheckBody } from '../check-schemas.ts'
import { closed } from '../../wire/schemas.ts'
import { checkedText } from '../../wire/texts.ts'
import { priceText } from './price-text.ts'
import { defineTool } from './tool.ts'

type CheckedText = Static<typeof CheckAnswer>['data']['domains'][number]

// The default deadline of the route.
const DEADLINE_MS = 2_500

const Whole = CheckAnswer.properties.data.properties.domains.items
const { sources, checked_at, expires_at, eligible_countries, pricing, ...short } = Whole.properties
const asked = Type.Partial(Type.Object({ sources, checked_at, expires_at, eligible_countries, pricing })).properties

export const checkDomainsTool = defineTool({
  name: 'check_domains',
  title: 'Check domains',
  description:
    'Looks up domains that are spelled out, such as example.com, up to 200 at once: whether each is available or taken, ' +
    'and what it costs to register. ' +
    'Use it when somebody names domains and asks if they are available or taken, if somebody owns them, if their owner sells them, ' +
    'or about their price. ' +
    'For ideas use suggest_domains. ' +
    '`available: true` means that the domain can be registered, possibly at a premium price (status `premium`). ' +
    '`status: unknown` means that no source answered in time: check again in a minute. Uses none of the suggestions.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  scope: 'domains:check',
  input: Type.Object(
    {
      ...Type.Omit(CheckBody, ['deadline_ms']).properties,
      include: Type.Optional(Type.Array(Type.Enum(['evidence', 'pricing']), { uniqueItems: true })),
    },
    closed,
  ),
  about: {
    domains: 'With their suffix, such as mayfly.com.',
    verify: 'full: bypass caches. Use it right before a purchase. Default fast.',
    country: 'Two-letter country of the registrant. Domains closed to it are `restricted`.',
    for_sale: 'Also find offers for taken domains.',
    include: 'Adds pricing (renewal, transfer, five years), evidence (sources, check time).',
  },
  output: Type.Object({ domains: Type.Array(Type.Object({ ...short, ...asked }, closed)) }, closed),
  async answer(
    { domains, verify = 'fast', for_sale: forSale = false, country, include = [] },
    { ctx, session, signal },
  ) {
    await ctx.quota.takeChecks(session.caller, domains.length)
    const fairnessKey = session.caller.accountId
    const options = { deadlineMs: DEADLINE_MS, fresh: verify === 'full', forSale, country, fairnessKey }
    const checked = JSON.parse(checkedText(await checkDomains(ctx, domains, options, signal), [])) as CheckedText[]
    const data = { domains: checked.map((one) => narrow(one, include)) }
    return { data, text: checked.map(lineOf).join('\n') }
  },
})

function narrow(checked: CheckedText, include: readonly ('evidence' | 'pricing')[]) {
  const { sources: by, checked_at: at, expires_at: until, pricing: prices, ...others } = checked
  const { eligible_countries: countries, ...rest } = others
  const evidence = {
    sources: by,
    checked_at: at,
    expires_at: until,
    ...(countries && { eligible_countries: countries }),
  }
  return {
    ...rest,
    ...(include.includes('evidence') ? evidence : {}),
    ...(include.includes('pricing') ? { pricing: prices } : {}),
  }
}

function lineOf({ input, available, status, confidence, price, pricing: prices, ...more }: CheckedText): string {
  const { for_sale: sale, eligibility } = more
  return [
    `${JSON.stringify(input)}: ${available ? `available ${priceText(price, prices?.term_years)}` : 'not available'}`,
    confidence === undefined ? status : `${status} (${confidence})`,
    ...(eligibility === undefined ? [] : [`who can register: ${eligibility}`]),
    ...(sale === undefined ? [] : [`its owner says ${JSON.stringify(sale)}`]),
  ].join(', ')
}
