/**
 * POST /v1/generate, whole or as a stream; an item of a batch and the tool for agents cost the same and leave the same
 * behind.
 *
 * A request that fails or is abandoned costs nothing. A stream costs the names that it showed and did not withdraw, also
 * when it ends early; then it leaves no record, since its response was never completed.
 */
import { MAX_HANDLE_NAMES } from '../../engines/namespaces/handle-checks.ts'
import { performTool } from '../../http/mcp/perform-tool.ts'
import type { Call } from '../../http/mcp/tool.ts'
import { answer, route, token, type App } from '../../http/route.ts'
import type { Ask } from '../../http/ask.ts'
import { namingSubjectOf, takeShare, takeVisitorChecks } from '../../http/visitors.ts'
import { GenerateAnswer, GenerateBody } from '../../http/wire/schemas.ts'
import { ApiError } from '../../model/errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { GenerateRequest } from '../../model/generate-request.ts'
import { NAMESPACE_GROUPS } from '../../model/namespace-verdict.ts'
import { deadlineOf, parseGenerateRequest } from './generate-request.ts'
import { GenerateEvent } from './schemas.ts'
import { createSuggestionEncoder, shown } from './shown.ts'
import { suggest, type Generated } from './suggest.ts'

export const generate = route({
  method: 'POST',
  path: '/v1/generate',
  id: 'generate',
  summary: 'Generate domain suggestions',
  description:
    'Suggests names for a project, best first. Each has domains with their availability and prices. Each suggestion returned uses one unit of the quota; a failed request uses none. Streams if the Accept header asks for it.',
  access: token('generate'),
  load: { priority: 'critical', pool: 'naming' },
  idempotent: { withinMs: (body, app) => deadlineOf(body, app.languageModel !== undefined) },
  events: GenerateEvent,
  localized: true,
  body: GenerateBody,
  replies: { 200: GenerateAnswer },
  run: async (ask, app) => (await find(ask, app, parse(ask.body, ask, app))).answered,
})

// No caller waits for the result, so the check may take longer.
const ITEM_DEADLINE_MS = 10_000

/** As an item of a batch. Its checks were counted and its time was waited for before. */
export const generateItem: typeof generate = {
  ...generate,
  run: async (ask, app) => (await find(ask, app, parse(ask.body, ask, app, ITEM_DEADLINE_MS), true)).answered,
}

/** For the tool, which parses its request and shows what was found in its own way. */
export async function findForAgent(request: GenerateRequest, call: Call): Promise<Generated> {
  let found: Generated | undefined
  const forAgent: typeof generate = {
    ...generate,
    async run(ask, app) {
      const { result, answered } = await find(ask, app, request)
      found = result
      return answered
    },
  }
  await performTool(forAgent, undefined, call)
  if (!found) throw new Error('names were found and not shown')
  return found
}

/** The most that a request of this caller can cost: suggestions, and checks of the domains that it names. */
export function costOf(body: GenerateBody, caller: Caller, app: App) {
  const request = parse(body, { caller, language: 'en' }, app)
  return { units: unitsOf(request), checks: checksOf(app, request) }
}

function parse(
  body: GenerateBody,
  { caller, language }: Pick<Ask, 'caller' | 'language'>,
  app: App,
  deadlineMs?: number,
): GenerateRequest {
  return parseGenerateRequest(body, {
    prices: app.prices,
    suffixes: app.config.suffixes,
    withModel: app.languageModel !== undefined,
    language,
    currency: caller.currency,
    ...(deadlineMs !== undefined && { deadlineMs }),
  })
}

async function find(ask: Ask, app: App, request: GenerateRequest, isBackground = false) {
  const { caller, messages, signal, sink } = ask
  if (!isBackground) await admit(ask, app, request)
  const spend = await ask.reserve(unitsOf(request))
  const checks = isBackground ? 0 : checksOf(app, request)
  if (checks > 0) await app.quota.takeChecks(caller, checks)
  const result = await suggest(app, request, signal, {
    onUpdate: sink?.show(createSuggestionEncoder(request, messages)),
    fairnessKey: caller.accountId,
    namingSubject: namingSubjectOf(ask),
    isBackground,
    mayCheck: (domains) => mayCheck(app, caller, domains),
  })
  const data = shown(result, request, messages)
  const suggestions = JSON.stringify(data.suggestions)
  const record = { ...request, description: request.names.description, suggestions }
  const names = result.suggestions.map(({ proposal }) => proposal.name)
  const offered = result.suggestions.flatMap(({ domains }) => domains)
  const answered = answer(200, data, app.history.recording(caller, record), {
    spend: spend(names),
    async after() {
      for (const { registrable, verdict } of offered) if (registrable) app.audit.note(verdict)
      await app.history.keepWithinPlan(caller, record)
    },
  })
  return { result, answered }
}

async function admit(ask: Ask, app: App, request: GenerateRequest): Promise<void> {
  await takeShare(app, ask, request.count)
  if (request.include.includes('handles')) {
    const lookups = Math.min(request.count, MAX_HANDLE_NAMES) * app.namespaces.countOf(NAMESPACE_GROUPS)
    await takeVisitorChecks(app, ask, lookups)
  }
  if (request.candidates) await takeVisitorChecks(app, ask, checksOf(app, request))
  await app.namingTime.require(namingSubjectOf(ask))
}

async function mayCheck({ quota }: App, caller: Caller, domains: number): Promise<boolean> {
  try {
    await quota.takeChecks(caller, domains)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'checks_exceeded') return false
    throw error
  }
}

/** The most suggestions that a request can have. */
function unitsOf({ count, candidates }: GenerateRequest): number {
  return candidates && !candidates.fill ? Math.min(count, candidates.names.length) : count
}

/** How many of its plan's daily checks the candidates of a request cost. */
function checksOf(
  { variants }: Pick<App, 'variants'>,
  { candidates, suffixes, variants: hasVariants }: GenerateRequest,
): number {
  const perDomain = hasVariants ? 1 + variants.length : 1
  const names = candidates?.names.flatMap((one) => ('label' in one ? [one] : [])) ?? []
  return names.reduce((sum, { suffix }) => sum + perDomain * (suffix === undefined ? suffixes.length : 1), 0)
}
