/** suggest_names: POST /v1/generate for agents. */
import { Type, type Static } from 'typebox'
import {
  briefDomain,
  briefVerdict,
  confirmText,
  domainText,
  ignoredText,
  SHOWN_INCLUDES,
  verdictsText,
} from '../../http/mcp/domain-line.ts'
import { defineTool, type Call } from '../../http/mcp/tool.ts'
import type { Shown } from '../../http/route.ts'
import { closed, GenerateBody, type GenerateAnswer } from '../../http/wire/schemas.ts'
import type { IgnoredSuffix } from '../../http/wire/suffixes.ts'
import { behindLabel } from '../../model/domain.ts'
import type { GenerateRequest } from '../../model/generate-request.ts'
import { parseGenerateRequest } from './generate-request.ts'
import { shown } from './shown.ts'
import type { Generated } from './suggest.ts'

type Data = Shown<Static<typeof GenerateAnswer>['data']>
type Suggestion = Data['suggestions'][number]
type Rejected = NonNullable<Data['rejected']>[number]

// As many as people can read at once.
const DEFAULT_COUNT = 10
const NOT_CHECKED = 'not checked, as `count` was reached or the time was over'

const MAIN = ['description', 'candidates', 'fill', 'tlds', 'country', 'currency', 'max_price', 'language'] as const
// The time to wait and whether to use cached results are for programs.
const OTHERS = ['verify', 'quality', 'deadline_ms', 'count'] as const
const Filters = Type.Omit(GenerateBody, [...MAIN, ...OTHERS])

/** Finds names, and does what that costs and leaves behind. */
export type FindNames = (request: GenerateRequest, call: Call) => Promise<Generated>

export const suggestNamesTool = (find: FindNames) =>
  defineTool({
    name: 'suggest_names',
    description:
      'Finds names for a business, product, app or project whose domains can be registered now: with the amount due, renewal and link to register. ' +
      'Write 20 to 50 names yourself and pass them as `candidates`: the service verifies them, and `rejected` says why the others fail (taken, famous, too_expensive, …), with a variant that is available if there is one. Use that to write better ones in a next call. ' +
      'Without candidates the service makes names of its own, which are weaker. ' +
      'Each suggestion returned uses one unit of quota. To check domains without a description use check.',
    annotations: { destructiveHint: false },
    scopes: ['generate'],
    input: Type.Object(
      {
        ...Type.Pick(GenerateBody, [...MAIN]).properties,
        count: Type.Optional(GenerateBody.properties.count),
        filters: Type.Optional(Type.Object(Filters.properties, closed)),
      },
      closed,
    ),
    about: {
      description: 'What the project is and does, in the words of the user.',
      candidates: 'Your names, best first: "Crumbfolk", or with suffix "crumbfolk.io".',
      fill: 'Add names of the service until `count`. Default false.',
      count: `Most suggestions. Default ${DEFAULT_COUNT}.`,
      tlds: 'Suffixes (com, co.uk) or presets (startup), best first; with candidates at most 5. Set only if the user has a wish.',
      country: 'Of the registrant, two letters.',
      currency: 'ISO 4217. Default USD.',
      max_price: 'Most that may be due now.',
      language: 'Of the names (BCP 47), if not that of the description.',
      filters:
        'Rarely needed: min_length, max_length (letters); include_words, exclude_words, like, unlike (lists); hyphens, digits, idn, premium, variants, only_available (booleans); max_price_5y, seed (numbers); styles (real_word, compound, blend, affix, respelling, foreign, invented, short_phrase, domain_hack); include (rationale, handles).',
    },
    async answer({ count = DEFAULT_COUNT, filters, ...args }, call) {
      const { ctx, caller, language } = call
      const ignored: IgnoredSuffix[] = []
      const request = parseGenerateRequest(
        { ...args, ...filters, count },
        {
          prices: ctx.prices,
          suffixes: ctx.config.suffixes,
          withModel: ctx.languageModel !== undefined,
          language,
          ...(call.deadlineMs === undefined ? {} : { deadlineMs: call.deadlineMs }),
          currency: caller.currency,
          ignored,
        },
      )
      const result = await find(request, call)
      const include = [...new Set([...request.include, ...SHOWN_INCLUDES])]
      const whole = shown(result, { include }, call.routeContext.messagesFor(language))
      const data = call.present?.(whole, request) ?? whole
      const labels = result.suggestions.map(({ proposal }) => proposal.label)
      return { data: narrow(data, ignored), text: textOf(data, labels, ignored) }
    },
  })

function narrow({ suggestions, rejected, ...data }: Data, ignored: readonly IgnoredSuffix[]) {
  return {
    suggestions: suggestions.map(({ handles, domains, ...suggestion }) => ({
      ...suggestion,
      domains: domains.map(briefDomain),
      ...(handles
        ? { handles: { packages: handles.packages.map(briefVerdict), code: handles.code.map(briefVerdict) } }
        : {}),
    })),
    ...(rejected
      ? { rejected: rejected.map(({ nearest, ...one }) => (nearest ? { ...one, nearest: briefDomain(nearest) } : one)) }
      : {}),
    ...data,
    ...(ignored.length > 0 ? { ignored } : {}),
  }
}

/** `labels`: of the suggestions, in their order. */
function textOf(
  { suggestions, rejected = [], shortfall, understanding }: Data,
  labels: readonly string[],
  ignored: readonly IgnoredSuffix[],
): string {
  const lines = [
    ...suggestions.map((suggestion, at) => suggestionText(suggestion, labels[at])),
    ...rejectedLines(rejected),
    ...ignored.map(ignoredText),
  ]
  if (understanding) lines.push(`understood as ${JSON.stringify(understanding)}`)
  if (shortfall) {
    const troubles = shortfall.sources?.map(({ source, state }) => `${source} is ${state}`).join(', ')
    const retry = shortfall.retry_after === undefined ? undefined : `try again in ${shortfall.retry_after} s`
    const why = [shortfall.reason, troubles, retry].filter((part) => part !== undefined).join(', ')
    lines.push(`${shortfall.returned} of ${shortfall.wanted}: ${why}`)
    if (shortfall.hint !== undefined) lines.push(shortfall.hint)
  }
  return lines.length === 0 ? 'none' : lines.join('\n')
}

function suggestionText(suggestion: Suggestion, label: string | undefined): string {
  const { name, domains, origin, rationale, score, handles } = suggestion
  // What can be registered comes first.
  const sorted = domains.toSorted((a, b) => Number(b.available) - Number(a.available))
  const parts = [
    ...sorted.map((one) => domainText(one) + variantText(label, one.domain)),
    ...(handles ? [verdictsText([...handles.packages, ...handles.code])] : []),
    ...(score ? [`score ${JSON.stringify(score)}`] : []),
  ]
  const from = origin === undefined ? '' : ` [${origin}]`
  return `${name}${from}: ${parts.join('; ')}${rationale === undefined ? '' : ` (${JSON.stringify(rationale)})`}`
}

/** A variant stands there only because the name itself is taken under that suffix. */
function variantText(label: string | undefined, domain: string): string {
  const exact = `${label}.${behindLabel(domain)}`
  return label === undefined || exact === domain ? '' : ` (a variant: ${exact} is taken)`
}

/** One line for each reason, and one for each name with a variant that can be registered. */
function rejectedLines(rejected: readonly Rejected[]): string[] {
  const byReason = Map.groupBy(
    rejected.filter(({ nearest }) => !nearest),
    ({ reason }) => reason,
  )
  return [
    ...rejected.flatMap(({ name, reason, nearest }) =>
      nearest ? [`rejected, ${reason}: ${JSON.stringify(name)}; nearest ${domainText(nearest)}`] : [],
    ),
    ...[...byReason].map(
      ([reason, some]) =>
        `${reason === 'not_checked' ? NOT_CHECKED : `rejected, ${reason}`}: ${some.map(rejectedText).join(', ')}`,
    ),
  ]
}

/** With a link where a command found no record of the domain. */
function rejectedText({ name, reason, ...more }: Rejected & Parameters<typeof confirmText>[1]): string {
  return [JSON.stringify(name), ...confirmText(reason, more)].join(' ')
}
