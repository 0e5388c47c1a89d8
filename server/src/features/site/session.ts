/**
 * GET /web/session: the first request of the web app. The signed-in person, their accounts, and what this service
 * offers.
 *
 * It needs no session: without one it returns what everybody may know, and the visitors' key if there is one. Pages of
 * other origins cannot read it. Better Auth is started only for requests with a cookie.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { isOwnAccount, type UserId } from '../../model/member.ts'
import { createVisitorKey } from '../keys/index.ts'
import type { Person } from '../../model/person.ts'
import { successOf } from '../../http/wire/texts.ts'
import { type AttemptLimit, takeLimits } from '../../http/within-limits.ts'
import { headersOf } from '../../http/settings/session-auth.ts'

// The same limit as for reading a session anywhere else.
const READING: AttemptLimit = { address: [6_000, 600] }

export function sessionRoute(app: FastifyInstance, ctx: Context, version: string): void {
  const visitorKey = createVisitorKey(ctx)

  app.get('/web/session', { config: { limit: READING } }, async (request, reply) => {
    reply.header('Cache-Control', 'no-store').header('Cross-Origin-Resource-Policy', 'same-origin')
    const [person, key] = await Promise.all([whoIsHere(ctx, request), visitorKey.find()])
    const [shown, accounts] = await Promise.all([
      person ? personOf(ctx, person) : null,
      person ? listAccounts(ctx, person.userId) : [],
    ])
    return reply.send(
      successOf(
        JSON.stringify({
          person: shown,
          accounts,
          visitor: key === undefined ? null : { key },
          sign_up: ctx.config.people.signUp === 'open',
          providers: ctx.people.providers,
          mail: ctx.mail.isOn,
          register_url: ctx.config.web.registerUrl ?? null,
          register_affiliate: ctx.config.web.isRegisterAffiliate,
          registrars: ctx.prices.registrars,
          sandbox: ctx.config.sandbox,
          version,
        }),
      ),
    )
  })
}

async function whoIsHere(ctx: Context, request: FastifyRequest): Promise<Person | undefined> {
  if (request.headers.cookie === undefined) return undefined
  await takeLimits(ctx, request, { name: 'GET /web/session', limit: READING, form: new Map() })
  return ctx.people.whoIs(headersOf(request))
}

async function personOf(ctx: Context, { userId, email, name, language, twoFactor }: Person) {
  const isOperator = await ctx.accounts.isOperator(userId)
  return { id: userId, email, name, language, two_factor: twoFactor, is_operator: isOperator }
}

async function listAccounts(ctx: Context, userId: UserId) {
  const memberships = await ctx.members.listAccounts(userId)
  const standings = await ctx.accounts.listStandings(memberships.map(({ account_id }) => account_id))
  const found = await Promise.all(
    memberships.map(async ({ account_id: accountId, role }) => {
      const member = { accountId, userId }
      const row = await ctx.accounts.find(member)
      const { name, language, currency } = row ?? {}
      const suspended = standings.get(accountId)?.suspension ?? null
      return row && { id: accountId, name, role, own: isOwnAccount(member), language, currency, suspended }
    }),
  )
  // Skip an account that was just deleted.
  return found.filter((account) => account !== undefined)
}
