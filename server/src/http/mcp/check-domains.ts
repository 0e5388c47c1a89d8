/** check_domains: POST /v1/domains/check for agents. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { checkDomains } from '../../check-domains.ts'
import { CheckAnswer, CheckBody } from '../check-schemas.ts'
import { closed } from '../../wire/schemas.ts'
import { checkedText } from '../../wire/texts.ts'
import { defineTool } from './tool.ts'

type Checked = Static<typeof CheckAnswer>['data']['domains'][number]

// As long as the route waits for who does not say.
const DEADLINE_MS = 2_500

const Whole = CheckAnswer.properties.data.properties.domains.items
const { sources, checked_at, expires_at, pricing, ...short } = Whole.properties
const more = Type.Partial(Type.Object({ sources, checked_at, expires_at, pricing })).properties

export const checkDomainsTool = defineTool({
  name: 'check_domains',
  title: 'Check domains',
  description:
    'Looks up domains that are spelled out, such as example.com, up to 200 at once: whether each is free or taken, ' +
    'and what it costs to register. ' +
    'Use it when somebody names domains and asks if they are available, taken, owned by somebody or for sale by their owner, ' +
    'about their price, or whether one is still free before they buy it. ' +
    'It invents nothing: for ideas use suggest_domains. ' +
    '`available: true` means that it can be registered, if need be at a premium price (status `premium`). ' +
    '`status: unknown` means that nobody who can know answered in time: look again in a minute. Costs none of the budget.',
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
    domains: 'Whole domains with their suffix: ["mayfly.com", "mayfly.io"].',
    verify: 'full: nothing remembered is used. Only right before a domain is bought. Default fast.',
    for_sale: 'Also look whether the owner of a taken domain offers it for sale.',
    include:
      'More per domain: pricing (renewal, transfer, five years), evidence (who said so, and when). Default neither.',
  },
  output: Type.Object({ domains: Type.Array(Type.Object({ ...short, ...more }, closed)) }, closed),
  async answer({ domains, verify = 'fast', for_sale: forSale = false, include = [] }, { ctx, signal }) {
    const options = { deadlineMs: DEADLINE_MS, fresh: verify === 'full', forSale }
    const checked = JSON.parse(checkedText(await checkDomains(ctx, domains, options, signal))) as Checked[]
    const data = { domains: checked.map((one) => narrow(one, include)) }
    return { data, text: checked.map(lineOf).join('\n') }
  },
})

function narrow(checked: Checked, include: readonly ('evidence' | 'pricing')[]) {
  const { sources: by, checked_at: at, expires_at: until, pricing: prices, ...rest } = checked
  return {
    ...rest,
    ...(include.includes('evidence') ? { sources: by, checked_at: at, expires_at: until } : {}),
    ...(include.includes('pricing') ? { pricing: prices } : {}),
  }
}

function lineOf({ input, available, status, confidence, price, for_sale: sale }: Checked): string {
  return [
    `${JSON.stringify(input)}: ${available ? `available ${price}` : 'not available'}`,
    // Free by one source, but nobody who sells it has confirmed that.
    `${!available && status === 'available' ? 'not confirmed' : status} (${confidence})`,
    ...(sale === undefined ? [] : [`its owner says ${JSON.stringify(sale)}`]),
  ].join(', ')
}
