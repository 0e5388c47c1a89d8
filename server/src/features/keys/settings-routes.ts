/**
 * The API keys of an account. Every member sees them, and which callers still use a replaced secret. Admins create,
 * change, rotate and revoke them.
 *
 * The text of a key is only in the response that creates it.
 */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import type { KeyRow } from './keys.ts'
import type { Member } from '../../model/member.ts'
import type { RetiringUse } from '../quota/traffic.ts'
import { successOf } from '../../http/wire/texts.ts'
import { requireRecent } from '../../http/step-up.ts'
import { listCredentials } from './credentials.ts'
import type { ShownCredential } from './credentials.ts'
import { signedInMemberOf } from '../../http/settings/session-auth.ts'
import { KeyBody, KeyChangeBody, RotateBody } from './schemas.ts'
import { isWidened, parseKeyChange, parseKeySpec } from './key-request.ts'
import { noting } from '../../http/settings/noting.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'

const KEYS = '/settings/accounts/:account/keys'
// Long enough to deploy a new secret to every machine on the next working day.
const DEFAULT_GRACE_SECONDS = 86_400

export function keyRoutes(app: FastifyInstance, ctx: Context): void {
  app.get(KEYS, async (request, reply) => {
    const { member } = signedInMemberOf(request)
    const keys = (await listCredentials(ctx, member)).filter(({ row }) => row.client_id === null).map(wireOf)
    return reply.send(successOf(JSON.stringify({ keys })))
  })

  app.post<{ Body: KeyBody }>(KEYS, { schema: { body: KeyBody }, config: { stepUp: true } }, async (request, reply) => {
    const { member, person } = signedInMemberOf(request)
    await applyRateLimit(ctx, request, person)
    const spec = parseKeySpec(request.body, person.userId, ctx.now())
    const origins = spec.allowedOrigins?.join(' ') ?? ''
    const detail = { name: spec.name, scopes: spec.scopes.join(' '), ...(origins === '' ? {} : { origins }) }
    const { id, secret } = await ctx.keys.create(member, spec, (key_id) => [
      noting(ctx, request, member, 'key_created', { key_id, ...detail }),
    ])
    return reply.code(201).send(await keyText(ctx, member, id, { secret }))
  })

  app.patch<{ Params: { id: string }; Body: KeyChangeBody }>(
    `${KEYS}/:id`,
    { schema: { body: KeyChangeBody } },
    async (request, reply) => {
      const { member, person } = signedInMemberOf(request)
      await applyRateLimit(ctx, request, person)
      const row = await findKey(ctx, member, request.params.id)
      const change = parseKeyChange(request.body, row, ctx.now())
      if (isWidened(row, change)) requireRecent(ctx, person)
      const detail = { key_id: row.id, name: change.name ?? row.name, changed: Object.keys(request.body).join(' ') }
      const changed = await ctx.keys.change(member, row.id, change, [
        noting(ctx, request, member, 'key_changed', detail),
      ])
      if (!changed) throw new ApiError('not_found')
      return reply.send(await keyText(ctx, member, row.id))
    },
  )

  app.post<{ Params: { id: string }; Body: RotateBody }>(
    `${KEYS}/:id/rotate`,
    { schema: { body: RotateBody }, config: { stepUp: true } },
    async (request, reply) => {
      const { member, person } = signedInMemberOf(request)
      await applyRateLimit(ctx, request, person)
      const { id, name } = await findKey(ctx, member, request.params.id)
      const { grace_seconds = DEFAULT_GRACE_SECONDS } = request.body
      const detail = { key_id: id, name, grace_seconds: String(grace_seconds) }
      const rotated = await ctx.keys.rotate(member, id, grace_seconds, [
        noting(ctx, request, member, 'key_rotated', detail),
      ])
      if (!rotated) throw new ApiError('not_found')
      return reply.send(await keyText(ctx, member, id, rotated))
    },
  )

  app.post<{ Params: { id: string } }>(`${KEYS}/:id/keep`, async (request, reply) => {
    const { member, person } = signedInMemberOf(request)
    await applyRateLimit(ctx, request, person)
    const { id, name } = await findKey(ctx, member, request.params.id)
    const note = noting(ctx, request, member, 'key_kept', { key_id: id, name })
    if (!(await ctx.keys.keep(member, id, [note]))) throw new ApiError('not_found')
    return reply.send(await keyText(ctx, member, id))
  })

  app.get<{ Params: { id: string } }>(`${KEYS}/:id/retiring`, async (request, reply) => {
    const { member } = signedInMemberOf(request)
    const { id } = await findKey(ctx, member, request.params.id)
    const [secrets, uses] = await Promise.all([ctx.keys.listRetiring(member, id), ctx.traffic.listUses(member, id)])
    const retiring = secrets.map(({ prefix, expires_at }) => retiringOf(prefix, expires_at, uses))
    return reply.send(successOf(JSON.stringify({ retiring })))
  })

  app.delete<{ Params: { id: string } }>(`${KEYS}/:id`, async (request, reply) => {
    const { member, person } = signedInMemberOf(request)
    await applyRateLimit(ctx, request, person)
    const { id, name } = await findKey(ctx, member, request.params.id)
    const note = noting(ctx, request, member, 'key_revoked', { key_id: id, name })
    if (!(await ctx.keys.revoke(member, id, [note]))) throw new ApiError('not_found')
    return reply.send(successOf('{}'))
  })
}

/** Finds a key. Applications have rows in the same list but are no keys. */
async function findKey(ctx: Context, member: Member, id: string): Promise<KeyRow> {
  const rows = await ctx.keys.list(member)
  const row = rows.find((one) => one.id === id && one.client_id === null)
  if (!row) throw new ApiError('not_found')
  return row
}

async function keyText(ctx: Context, member: Member, id: string, more: { secret?: string } = {}): Promise<string> {
  const shown = (await listCredentials(ctx, member)).find(({ row }) => row.id === id)
  // Revoked keys stay in the list, so a missing one means that the account was deleted meanwhile.
  if (!shown) throw new ApiError('not_found')
  return successOf(JSON.stringify({ key: { ...wireOf(shown), ...more } }))
}

/** The callers that still use a secret that is being replaced, most recent first. */
function retiringOf(prefix: string, expires_at: Date, all: readonly RetiringUse[]) {
  const uses = all
    .filter((use) => use.prefix === prefix)
    .map(({ address, user_agent, requests, last_at }) => ({ address, user_agent, requests, last_used_at: last_at }))
  return { prefix, expires_at, last_used_at: uses[0]?.last_used_at ?? null, uses }
}

function wireOf({ row: { id, name, prefix, allowed_origins, expires_at, review_since }, wire }: ShownCredential) {
  const review = review_since && { since: review_since, reason: 'creator_lost_access' }
  return { id, name, prefix, ...wire, origins: allowed_origins, expires_at, review }
}
