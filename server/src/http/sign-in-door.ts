/**
 * /auth: the way of a request to the sign-in and authorization server, and back. Which paths there are and how often
 * each may be tried is in `attempts.ts`; where OAuth is otherwise than Better Auth has it, in `oauth-rules.ts`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { AUTH_PATH } from '../people/people.ts'
import { DOORS, takeLimits } from './attempts.ts'
import type { Limit } from './attempts.ts'
import { asNative, askingAgain, corrected, refusalOf, withoutAsking, withoutHint } from './oauth-rules.ts'
import type { OAuthRefusal } from './oauth-rules.ts'
import { answer, fieldsOf, formOf, headersOf, passedOn, queryOf, withoutToken } from './passing-on.ts'
import { requireRecent } from './recent.ts'

const BODY_LIMIT = 32 * 1024

export function signInDoor(app: FastifyInstance, ctx: Context): void {
  void app.register(async (inside) => {
    // Passed on as they came: their reader is Better Auth.
    inside.removeAllContentTypeParsers()
    inside.addContentTypeParser(
      ['application/json', 'application/x-www-form-urlencoded'],
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      async (_request: FastifyRequest, text: string | Buffer) => String(text),
    )
    for (const [door, limit] of Object.entries(DOORS)) {
      const [method = '', path = ''] = door.split(' ')
      const handler = path.startsWith('/oauth2/') ? forApplications : forPeople
      const priority = path === '/sign-out' ? 'never' : 'normal'
      inside.route({
        method,
        url: `${AUTH_PATH}${path}`,
        config: { priority },
        handler: handler(ctx, door, path, limit),
      })
    }
  })
}

function forPeople(ctx: Context, door: string, path: string, limit: Limit) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    await takeLimits(ctx, request, { name: door, form: formOf(request) })
    if (limit.recent) await requireRecentPerson(ctx, request)
    const { provider = '' } = request.params as { provider?: string }
    if (path.includes(':provider') && !ctx.people.providers.includes(provider)) throw new ApiError('not_found')
    const response = await ctx.people.handle(passedOn(ctx, request, path.replace(':provider', provider)))
    return answer(reply, await withoutToken(response))
  }
}

function forApplications(ctx: Context, door: string, path: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const form = formOf(request)
    await takeLimits(ctx, request, { name: door, form })
    const refusal = refusalOf(door, form)
    if (refusal) return refuse(reply, refusal)
    if (path === '/oauth2/authorize') return authorize(ctx, request, reply, door)
    const body =
      path === '/oauth2/register' ? asNative(form) : path === '/oauth2/revoke' ? withoutHint(form) : request.body
    const sent = passedOn(ctx, request, path, typeof body === 'string' ? { body } : undefined)
    return answer(reply, await corrected(await ctx.people.handle(sent), door))
  }
}

/** Its parameters come in the address, or in a form. */
async function authorize(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  door: string,
): Promise<FastifyReply> {
  const isForm = typeof request.body === 'string'
  const asked = isForm ? String(request.body) : queryOf(request)
  const refusal = refusalOf(door, fieldsOf(asked))
  if (refusal) return refuse(reply, refusal)
  const again = askingAgain(asked)
  const sent = passedOn(ctx, request, '/oauth2/authorize', isForm ? { body: again } : { query: again })
  return answer(reply, withoutAsking(await corrected(await ctx.people.handle(sent), door), asked))
}

function refuse(reply: FastifyReply, refusal: OAuthRefusal): FastifyReply {
  return reply.code(400).header('Cache-Control', 'no-store').send(refusal)
}

async function requireRecentPerson(ctx: Context, request: FastifyRequest): Promise<void> {
  const person = await ctx.people.whoIs(headersOf(request))
  if (!person) throw new ApiError('sign_in_required')
  requireRecent(ctx, person)
}
