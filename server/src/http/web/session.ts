/**
 * GET /web/session: the first thing the web app asks. Who is here, in which accounts, and what this service offers.
 *
 * It needs nobody: who is not signed in learns what everybody may know, and gets the visitors' key where there is one.
 * Pages of other origins cannot read it. Better Auth is only started for who brings a cookie.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { isOwnAccount } from '../../model/member.ts'
import type { UserId } from '../../model/member.ts'
import { createVisitorKey } from '../../open-to-visitors.ts'
import type { Person } from '../../people/people.ts'
import { successOf } from '../../wire/texts.ts'
import type { Limit } from '../attempts.ts'
import { takeLimits } from '../attempts.ts'
import { headersOf } from '../passing-on.ts'

// As often as a session may be looked at anywhere else.
const LOOKING: Limit = { address: [6_000, 600] }

export function sessionRoute(app: FastifyInstance, ctx: Context, version: string): void {
  const visitorKey = createVisitorKey(ctx)

  app.get('/web/session', async (request, reply) => {
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
          version,
        }),
      ),
    )
  })
}

async function whoIsHere(ctx: Context, request: FastifyRequest): Promise<Person | undefined> {
  if (request.headers.cookie === undefined) return undefined
  await takeLimits(ctx, request, { name: 'GET /web/session', limit: LOOKING, form: new Map() })
  return ctx.people.whoIs(headersOf(request))
}

async function personOf(ctx: Context, { userId, email, name, language, twoFactor }: Person) {
  const isOperator = await ctx.accounts.isOperator(userId)
  return { id: userId, email, name, language, two_factor: twoFactor, is_operator: isOperator }
}

async function listAccounts(ctx: Context, userId: UserId) {
  const memberships = await ctx.members.listAccounts(userId)
  const found = await Promise.all(
    memberships.map(async ({ account_id: accountId, role }) => {
      const member = { accountId, userId }
      const row = await ctx.accounts.find(member)
      const { name, language, currency } = row ?? {}
      return row && { id: accountId, name, role, own: isOwnAccount(member), language, currency }
    }),
  )
  // One that was deleted just now is none.
  return found.filter((account) => account !== undefined)
}
