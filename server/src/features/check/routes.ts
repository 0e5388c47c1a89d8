/** POST /v1/domains/check and POST /v1/names/check, whole or as a stream. */
import { answer, route, token } from '../../http/route.ts'
import { takeVisitorChecks } from '../../http/visitors.ts'
import { ApiError } from '../../model/errors.ts'
import { checkDomains } from './check-domains.ts'
import { checkNames, parseNamesCheckRequest } from './check-names.ts'
import {
  CheckAnswer,
  CheckBody,
  CheckEvent,
  MAX_DOMAINS,
  MAX_STREAMED,
  NamesAnswer,
  NamesBody,
  NamesEvent,
} from './schemas.ts'
import { checkedEntry, createCheckedEncoder } from './shown.ts'

const DEFAULT_DEADLINE_MS = 2_500
// A thousand domains of 253 characters, and the other fields.
const BODY_BYTES = 320 * 1024

const domains = route({
  method: 'POST',
  path: '/v1/domains/check',
  id: 'checkDomains',
  summary: 'Check domains',
  description:
    'Checks whether each domain can be registered, and its price. Results keep the input order, with one result per input. Up to 200 domains, or 1000 when streamed. Uses no quota.',
  access: token('domains:check'),
  load: { bodyBytes: BODY_BYTES },
  idempotent: false,
  reads: true,
  events: CheckEvent,
  body: CheckBody,
  replies: { 200: CheckAnswer },
  async run(ask, app) {
    const { domains: inputs, verify, country, include = [], for_sale: forSale = false } = ask.body
    const { deadline_ms: deadlineMs = DEFAULT_DEADLINE_MS } = ask.body
    const { caller, signal } = ask
    if (!ask.sink && inputs.length > MAX_DOMAINS) throw tooMany()
    await takeVisitorChecks(app, ask, inputs.length)
    await app.quota.takeChecks(caller, inputs.length)
    const onUpdate = ask.sink?.show(createCheckedEncoder(include))
    const options = { deadlineMs, fresh: verify === 'full', forSale, country, fairnessKey: caller.accountId }
    const checked = await checkDomains(app, inputs, options, signal, onUpdate)
    return answer(200, { domains: checked.map((one) => checkedEntry(one, include)) })
  },
})

function tooMany(): ApiError {
  const params = { limit: MAX_DOMAINS }
  return new ApiError('invalid_request', { fields: [{ pointer: '/domains', code: 'too_many', params }] })
}

const names = route({
  method: 'POST',
  path: '/v1/names/check',
  id: 'checkNames',
  summary: 'Check names',
  description:
    'Checks names under suffixes, and with `include` in package registries and at code hosts. Up to 200 domains (names times suffixes), or 1000 when streamed. Uses no quota.',
  access: token('domains:check'),
  idempotent: false,
  reads: true,
  events: NamesEvent,
  body: NamesBody,
  replies: { 200: NamesAnswer },
  async run(ask, app) {
    const { verify, country, deadline_ms: deadlineMs = DEFAULT_DEADLINE_MS } = ask.body
    const { caller, signal } = ask
    const maxDomains = ask.sink ? MAX_STREAMED : MAX_DOMAINS
    const request = parseNamesCheckRequest(ask.body, { prices: app.prices, suffixes: app.config.suffixes, maxDomains })
    const lookups = request.names.length * app.namespaces.countOf(request.groups)
    await takeVisitorChecks(app, ask, request.domains.length + lookups)
    await app.quota.takeChecks(caller, request.domains.length)
    const onUpdate = ask.sink?.show(createCheckedEncoder(request.include))
    const options = { deadlineMs, fresh: verify === 'full', country, fairnessKey: caller.accountId }
    return answer(200, { names: await checkNames(app, request, options, signal, onUpdate) })
  },
})

export const routes = [domains, names]
