/**
 * /receipts: a receipt of a name, made for our own page, and read by anybody who has its link.
 *
 *   our own page, for making one → limits of the address → allowance or session → schema → check → link
 *
 * The verdicts of a receipt are those of this service and of this moment; nothing that the page sends counts as one. The
 * link is the receipt (`library/receipts/`): nothing is stored.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { checkDomains } from '../../flows/check-domains.ts'
import type { Checked } from '../../flows/check-domains.ts'
import { openReceipt } from '../../flows/open-receipt.ts'
import { MAX_RECEIPT_DOMAINS, MAX_RECEIPT_NAME } from '../../library/receipts/receipt-token.ts'
import type { Receipt, ReceiptDomain } from '../../library/receipts/receipt-token.ts'
import { plainLine } from '../../library/shares/shares.ts'
import { VISITORS } from '../../model/caller.ts'
import { findDomain } from '../../model/domain.ts'
import { addressSubject } from '../../tenancy/limits/limits.ts'
import { receiptEntry } from '../../wire/receipt-texts.ts'
import { closed } from '../../wire/schemas.ts'
import { standingOf, successOf } from '../../wire/texts.ts'
import { headersOf } from '../passing-on.ts'
import type { RouteContext } from '../route-context.ts'
import { requireOwnPage } from '../settings/session-auth.ts'
import { requireWithin } from '../within-limits.ts'

const READING = { name: 'receipt-look', perHour: 1_200, burst: 120 }
// One for each name of a search, and the domains of all of them.
const MAKING = { name: 'receipt', perHour: 120, burst: 40 }
const CHECKING = { name: 'receipt-checks', perHour: 600, burst: 240 }
const DEADLINE_MS = 2_500

const ReceiptBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: MAX_RECEIPT_NAME }),
    domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
      minItems: 1,
      maxItems: MAX_RECEIPT_DOMAINS,
      uniqueItems: true,
    }),
    /** Bypass the caches. */
    fresh: Type.Optional(Type.Boolean()),
  },
  closed,
)
type ReceiptBody = Static<typeof ReceiptBody>

export function receiptRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  const asks = sourcesOf(ctx)

  void app.register(async (inside) => {
    inside.addHook('onRequest', async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      const isReading = request.method === 'GET'
      if (!isReading) requireOwnPage(ctx, request)
      await requireWithin(ctx, [{ ...(isReading ? READING : MAKING), subject: addressSubject(request.ip) }])
      if (!isReading) await requireAllowance(ctx, request)
    })

    inside.get<{ Params: { token: string } }>('/receipts/:token', async (request, reply) => {
      const receipt = ctx.receipts.find(request.params.token)
      if (!receipt) throw new ApiError('not_found')
      const opened = await openReceipt(ctx, receipt, routeContext.disconnectSignalOf(reply))
      return reply.send(successOf(JSON.stringify({ receipt: receiptEntry(opened, ctx.now()) })))
    })

    inside.post<{ Body: ReceiptBody }>('/receipts', { schema: { body: ReceiptBody } }, async (request, reply) => {
      const { name, domains, fresh = false } = request.body
      const shown = plainLine(name)
      const wrong = domains.findIndex((domain) => findDomain(domain) === undefined)
      if (shown === '') throw wrongField('/name', 'a name')
      if (wrong >= 0) throw wrongField(`/domains/${wrong}`, 'mayfly.com')
      await requireWithin(ctx, [{ ...CHECKING, subject: addressSubject(request.ip), cost: domains.length }])
      const options = { deadlineMs: DEADLINE_MS, fresh, forSale: false, fairnessKey: VISITORS }
      const signal = routeContext.disconnectSignalOf(reply)
      const checked = await checkDomains(ctx, domains, options, signal)
      const receipt: Receipt = { name: shown, domains: checked.map(domainOfReceipt), asks }
      const token = ctx.receipts.make(receipt)
      return reply.code(201).send(successOf(JSON.stringify({ token, url: `${ctx.publicUrl}/n/${token}` })))
    })
  })
}

/** Fails with sign_in_required. Where visitors may not check domains, only a signed-in person may. */
async function requireAllowance(ctx: Context, request: FastifyRequest): Promise<void> {
  if (ctx.config.web.allowance > 0) return
  if (!(await ctx.people.whoIs(headersOf(request)))) throw new ApiError('sign_in_required')
}

function domainOfReceipt({ verdict, registrable, offer }: Checked): ReceiptDomain {
  const { domain, sources, checkedAt, price } = verdict
  return {
    domain,
    available: registrable,
    ...standingOf(verdict, registrable, offer),
    sources,
    checkedAt,
    ...(price ? { price } : {}),
  }
}

/** Everybody outside whom this service can ask about a domain, in order. */
function sourcesOf({ config }: Context): readonly string[] {
  if (config.sandbox) return ['sandbox']
  return ['dns', ...config.registrars.order, ...(config.rdap ? ['rdap'] : [])]
}

function wrongField(pointer: string, expected: string): ApiError {
  return new ApiError('invalid_request', { fields: [{ pointer, code: 'bad_format', params: { expected } }] })
}
