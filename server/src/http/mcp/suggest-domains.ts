/** suggest_domains: POST /v1/generate for agents. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { generate } from '../../flows/generate/generate.ts'
import { parseGenerateRequest } from '../../wire/generate-request.ts'
import { closed, GenerateAnswer, GenerateBody } from '../../wire/schemas.ts'
import { generatedText, suggestionsText } from '../../wire/texts.ts'
import { BriefVerdicts, briefVerdict, verdictText } from './brief-verdict.ts'
import { priceText } from './price-text.ts'
import { defineTool } from './tool.ts'

type Suggestions = Static<typeof GenerateAnswer>['data']

// As many as people can read at once, with four suffixes each.
const DEFAULT_COUNT = 10

const { suggestions: listed, ...ofAnswer } = GenerateAnswer.properties.data.properties
const { handles: _handles, ...ofSuggestion } = listed.items.properties
const BriefHandles = Type.Object({ packages: BriefVerdicts, code: BriefVerdicts }, closed)
const BriefSuggestion = Type.Object({ ...ofSuggestion, handles: Type.Optional(BriefHandles) }, closed)

export const suggestDomainsTool = defineTool({
  name: 'suggest_domains',
  title: 'Suggest names with available domains',
  description:
    'Invents names for a business, company, product, app or project from a description of it, and returns each with domains, ' +
    'their availability now, and the price due today. ' +
    'Use it when somebody needs a new name, asks what to call something, wants ideas for a brand or a word, ' +
    'wants to find or brainstorm a domain for an idea, or wants more or different suggestions. ' +
    'For domains that are already spelled out use check_domains, for suggestions made earlier get_history. ' +
    'Each suggestion returned uses one unit of the account quota and is stored in the history. ' +
    '`shortfall` gives the reason if there are fewer than requested.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  scope: 'generate',
  // Options for programs are left out: the time to wait, and whether to use cached results.
  input: Type.Object(
    {
      ...Type.Omit(GenerateBody, ['verify', 'quality', 'deadline_ms', 'count', 'candidates', 'fill']).properties,
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    },
    closed,
  ),
  about: {
    description: 'What the project is and does, in any language, in the words of the user. Up to 2000 characters.',
    count: `Number of suggestions. Default ${DEFAULT_COUNT}. Request only as many as you will show.`,
    language: 'BCP 47 language of the names and texts, such as de. Default for names: that of the description.',
    tlds: 'Suffixes such as com or co.uk, or presets such as startup, best first. Set it only if the user has a preference.',
    styles: 'Styles of names. Default: a mix.',
    include_words: 'Every name contains one of these words.',
    exclude_words: 'No name contains any of these words.',
    min_length: 'Shortest name, in characters.',
    max_length: 'Longest name, in characters.',
    hyphens: 'Names may contain hyphens. Default false.',
    digits: 'Names may contain digits. Default false.',
    idn: 'Names may contain letters other than a to z. Default false.',
    country: 'Two-letter country of the registrant. Offers its suffix; those closed to it are `restricted`.',
    currency: 'ISO 4217 currency of prices. Default USD.',
    max_price: 'Maximum amount due today, in that currency.',
    max_price_5y: 'Maximum total price of at least five years.',
    premium: 'Include premium domains. Default false.',
    only_available: 'Default true: every suggestion has a domain that can be registered.',
    variants: 'If the exact domain is taken, offer a variant such as getmayfly.com.',
    like: 'Names the user likes. New names resemble them.',
    unlike: 'Names the user dislikes. New names avoid their style.',
    seed: 'Another number gives different names for the same description.',
    include:
      'Adds rationale, pricing (renewal, five years), evidence, score, sound, risks (in languages), handles (npm, GitHub).',
  },
  output: Type.Object({ ...ofAnswer, suggestions: Type.Array(BriefSuggestion) }, closed),
  async answer({ count = DEFAULT_COUNT, ...args }, { ctx, routeContext, session, namingSubject, language, signal }) {
    const generateRequest = parseGenerateRequest(
      { ...args, count },
      {
        prices: ctx.prices,
        suffixes: ctx.config.suffixes,
        withModel: ctx.languageModel !== undefined,
        language,
        currency: session.caller.currency,
      },
    )
    const messages = routeContext.messagesFor(language)
    ctx.db.requirePrimary()
    await using generation = await generate(ctx, session.caller, generateRequest, { signal, namingSubject })
    const suggestions = suggestionsText(generation.result, generateRequest, messages)
    const data = JSON.parse(generatedText(generation.result, suggestions, generateRequest, messages)) as Suggestions
    const offers = generation.result.suggestions.flatMap(({ domains }) => domains)
    const terms = new Map<string, number>(offers.map(({ verdict, offer }) => [verdict.domain, offer.termYears]))
    const termYearsOf = (domain: string) => terms.get(domain)
    session.spent = generation.result.suggestions.length
    await generation.commit(suggestions, [])
    return { data: { ...data, suggestions: data.suggestions.map(narrow) }, text: textOf(data, termYearsOf) }
  },
})

function narrow({ handles, ...suggestion }: Suggestions['suggestions'][number]) {
  if (!handles) return suggestion
  const { packages, code } = handles
  return { ...suggestion, handles: { packages: packages.map(briefVerdict), code: code.map(briefVerdict) } }
}

function textOf({ suggestions, shortfall }: Suggestions, termYearsOf: (domain: string) => number | undefined): string {
  const lines = suggestions.map(({ name, domains, rationale, handles }) => {
    const free = domains.flatMap(({ domain, available, price }) =>
      available ? [`${domain} ${priceText(price, termYearsOf(domain))}`] : [],
    )
    const others = domains.flatMap(({ domain, available }) => (available ? [] : [domain]))
    const parts = [
      ...(free.length === 0 ? [] : [`available ${free.join(', ')}`]),
      ...(others.length === 0 ? [] : [`not available ${others.join(', ')}`]),
      ...(handles ? [[...handles.packages, ...handles.code].map(verdictText).join(', ')] : []),
    ]
    return `${name}: ${parts.join('; ')}${rationale === undefined ? '' : ` (${JSON.stringify(rationale)})`}`
  })
  if (shortfall) {
    const troubles = shortfall.sources?.map(({ source, state }) => `${source} is ${state}`).join(', ')
    const retry = shortfall.retry_after === undefined ? undefined : `try again in ${shortfall.retry_after} s`
    const why = [shortfall.reason, troubles, retry].filter((part) => part !== undefined).join(', ')
    lines.push(`${shortfall.returned} of ${shortfall.wanted}: ${why}`)
    if (shortfall.hint !== undefined) lines.push(shortfall.hint)
  }
  return lines.join('\n')
}
