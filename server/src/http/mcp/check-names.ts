/** check_names: POST /v1/names/check for agents. */
import { Type } from 'typebox'
import { parseNamesCheckRequest } from '../../wire/names-check-request.ts'
import { closed } from '../../wire/schemas.ts'
import { checkNames } from '../check-names.ts'
import { MAX_DOMAINS } from '../check-schemas.ts'
import { NamesAnswer, NamesBody } from '../name-schemas.ts'
import { BriefVerdicts, briefVerdict, verdictText } from './brief-verdict.ts'
import { priceText } from './price-text.ts'
import { defineTool } from './tool.ts'

type NameEntry = Awaited<ReturnType<typeof checkNames>>[number]

// The default deadline of the route.
const DEADLINE_MS = 2_500

const {
  domains,
  packages: _packages,
  code: _code,
  ...ofName
} = NamesAnswer.properties.data.properties.names.items.properties
const { domain, available, status, price } = domains.items.properties

export const checkNamesTool = defineTool({
  name: 'check_names',
  title: 'Check names',
  description:
    'Looks up a label on npm, PyPI, crates.io, RubyGems, Docker Hub, Homebrew, GitHub and GitLab. ' +
    'Use it when somebody asks if a package, username or organization exists there, or for trademark searches. ' +
    '`not_found` is not free. Uses no suggestions.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  scope: 'domains:check',
  input: Type.Object({ ...Type.Omit(NamesBody, ['deadline_ms', 'verify']).properties }, closed),
  about: {
    names: 'mayfly, Blue Heron',
    tlds: 'Suffixes or presets.',
    include: 'links: trademarks, social',
    country: 'Of the registrant.',
  },
  output: Type.Object(
    {
      names: Type.Array(
        Type.Object(
          {
            ...ofName,
            domains: Type.Array(Type.Object({ domain, available, status, price }, closed)),
            packages: Type.Optional(BriefVerdicts),
            code: Type.Optional(BriefVerdicts),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  async answer({ names, tlds, include, country }, { ctx, session, signal }) {
    const body = { names, ...(tlds ? { tlds } : {}), ...(include ? { include } : {}) }
    const limits = { prices: ctx.prices, suffixes: ctx.config.suffixes, maxDomains: MAX_DOMAINS }
    const options = { deadlineMs: DEADLINE_MS, fresh: false, country, fairnessKey: session.caller.accountId }
    const ask = parseNamesCheckRequest(body, limits)
    await ctx.quota.takeChecks(session.caller, ask.domains.length)
    const entries = await checkNames(ctx, ask, options, signal)
    return { data: { names: entries.map(narrow) }, text: entries.map(lineOf).join('\n') }
  },
})

function narrow({ domains: checked, packages: ofPackages, code: ofCode, ...rest }: NameEntry) {
  return {
    ...rest,
    domains: checked.map((one) => ({
      domain: one.domain,
      available: one.available,
      status: one.status,
      price: one.price,
    })),
    ...(ofPackages ? { packages: ofPackages.map(briefVerdict) } : {}),
    ...(ofCode ? { code: ofCode.map(briefVerdict) } : {}),
  }
}

function lineOf({ input, domains: checked, packages: ofPackages = [], code: ofCode = [] }: NameEntry): string {
  return [
    `${JSON.stringify(input)}:`,
    [
      ...checked.map(
        (one) =>
          `${one.domain} ${one.available ? `available ${priceText(one.price, one.pricing?.term_years)}` : one.status}`,
      ),
      ...[...ofPackages, ...ofCode].map(verdictText),
    ].join(', '),
  ].join(' ')
}
