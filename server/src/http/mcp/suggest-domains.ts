/** suggest_domains: POST /v1/generate for agents. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { generate } from '../../generate.ts'
import type { Generated } from '../../generate.ts'
import { parseAsk } from '../../wire/ask.ts'
import { closed, GenerateAnswer, GenerateBody } from '../../wire/schemas.ts'
import { suggestionsText } from '../../wire/texts.ts'
import { defineTool } from './tool.ts'

type Suggestions = Static<typeof GenerateAnswer>['data']

// As many as people like to read at once, with four suffixes each.
const DEFAULT_COUNT = 10

export const suggestDomainsTool = defineTool({
  name: 'suggest_domains',
  title: 'Suggest names with free domains',
  description:
    'Invents names for a business, company, product, app or project from a description of it, and gives each with domains, ' +
    'whether they can be registered now, and the price of the first year. ' +
    'Use it when somebody needs a new name, asks what to call something, wants ideas for a brand or a word, ' +
    'wants to find or brainstorm a domain for an idea, or wants more or different suggestions. ' +
    'For domains that are already spelled out use check_domains, for suggestions made earlier get_history. ' +
    'Each suggestion returned costs one of the account’s budget and goes into its history. ' +
    '`shortfall` says why there are fewer than wanted.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  scope: 'generate',
  // What is left out is for programs: how long to wait, and whether to trust what is remembered.
  input: Type.Object(
    {
      ...Type.Omit(GenerateBody, ['verify', 'deadline_ms', 'count']).properties,
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    },
    closed,
  ),
  about: {
    description:
      'What the thing is, does and stands for, in any language: the person’s own words, up to 2000 characters.',
    count: `How many suggestions. Default ${DEFAULT_COUNT}; no more than will be shown.`,
    language: 'BCP 47 language of the names, such as de. Default: that of the description.',
    tlds: 'Suffixes such as com or co.uk, or presets such as startup, best first. Only if the person has a preference.',
    styles: 'Kinds of names. Default: a mixture.',
    include_words: 'Every name contains one of these words.',
    exclude_words: 'No name contains any of these words.',
    min_length: 'Shortest name, in characters.',
    max_length: 'Longest name, in characters.',
    hyphens: 'Names may contain hyphens. Default false.',
    digits: 'Names may contain digits. Default false.',
    idn: 'Names may contain letters beyond a to z. Default false.',
    country: 'Two-letter country whose suffix is offered too, such as DE.',
    currency: 'ISO 4217 currency of prices. Default USD.',
    max_price: 'Most that the first year may cost, in that currency.',
    max_price_5y: 'Most that five years may cost in all.',
    premium: 'Domains at premium prices may be offered. Default false.',
    only_available: 'Default true: every suggestion has a domain that can be registered.',
    variants: 'Where the exact domain is taken, offer one like getmayfly.com.',
    like: 'Names the person likes, to steer towards.',
    unlike: 'Names the person dislikes, to steer away from.',
    seed: 'Any other number gives other names for the same description.',
    include:
      'More per suggestion: rationale (where the name comes from), pricing (renewal, five years), evidence, score, sound, risks (other languages).',
  },
  output: GenerateAnswer.properties.data,
  async answer({ count = DEFAULT_COUNT, ...args }, { ctx, doors, session, language, signal }) {
    const ask = parseAsk(
      { ...args, count },
      {
        prices: ctx.prices,
        suffixes: ctx.config.suffixes,
        withModel: ctx.languageModel !== undefined,
        language,
        currency: session.caller.currency,
      },
    )
    let data: Suggestions = { suggestions: [] }
    const present = (result: Generated) => {
      const suggestions = suggestionsText(result, ask, doors.messagesFor(language))
      const { shortfall } = result
      data = { suggestions: JSON.parse(suggestions) as Suggestions['suggestions'], ...(shortfall ? { shortfall } : {}) }
      session.spent = result.suggestions.length
      return { suggestions, alongside: [] }
    }
    await generate(ctx, session.caller, ask, present, signal)
    return { data, text: textOf(data) }
  },
})

function textOf({ suggestions, shortfall }: Suggestions): string {
  const lines = suggestions.map(({ name, domains, rationale }) => {
    const free = domains.flatMap(({ domain, available, price }) => (available ? [`${domain} ${price}`] : []))
    const others = domains.flatMap(({ domain, available }) => (available ? [] : [domain]))
    const parts = [
      ...(free.length === 0 ? [] : [`available ${free.join(', ')}`]),
      ...(others.length === 0 ? [] : [`not available ${others.join(', ')}`]),
    ]
    return `${name}: ${parts.join('; ')}${rationale === undefined ? '' : ` (${JSON.stringify(rationale)})`}`
  })
  if (shortfall) lines.push(`${shortfall.returned} of ${shortfall.wanted}: ${shortfall.reason}`)
  return lines.join('\n')
}
