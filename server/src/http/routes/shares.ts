/**
 * /shares/{token}: a share for whoever has its link. No credential is asked for, and no cookie is looked at.
 *
 *   our own page, where something is written → limits of the address → token → schema → share
 *
 * A voter is whoever sends the same `Namewright-Voter`: a number of 128 bits that our page has made up and keeps in the
 * browser. Here only its hash is kept. Whoever clears the browser can vote again; the votes are there to talk about, and
 * decide nothing.
 */
import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { addressSubject } from '../../limits/limits.ts'
import { isUuid } from '../../model/id.ts'
import { plainLine, plainText } from '../../shares/shares.ts'
import type { ShareRef } from '../../shares/shares.ts'
import { closed } from '../../wire/schemas.ts'
import { successOf } from '../../wire/texts.ts'
import { requireOwnPage } from '../settings/door.ts'
import { publicShare } from '../share-texts.ts'
import { requireWithin } from '../within-limits.ts'

const SHARE = '/shares/:token'
// A page that looks every few seconds is welcome; who sits behind one address in an office votes at the same time.
const LOOKING = { name: 'share-look', perHour: 3_600, burst: 300 }
const VOTING = { name: 'share-vote', perHour: 1_200, burst: 120 }
const COMMENTING = { name: 'share-comment', perHour: 60, burst: 20 }
const VOTER = /^[\w-]{22}$/

const VotesBody = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 60 })),
    votes: Type.Record(Type.String(), Type.Union([Type.Enum(['up', 'down']), Type.Null()])),
  },
  closed,
)
type VotesBody = Static<typeof VotesBody>

const CommentBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 60 }),
    text: Type.String({ minLength: 1, maxLength: 500 }),
    item_id: Type.Optional(Type.String({ format: 'uuid' })),
  },
  closed,
)
type CommentBody = Static<typeof CommentBody>

interface OfShare {
  Params: { token: string }
}

export function shareRoutes(app: FastifyInstance, ctx: Context): void {
  void app.register(async (inside) => {
    inside.addHook('onRequest', async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      if (request.method !== 'GET') requireOwnPage(ctx, request)
      const limit = request.method === 'GET' ? LOOKING : request.method === 'PUT' ? VOTING : COMMENTING
      await requireWithin(ctx, [{ ...limit, subject: addressSubject(request.ip) }])
    })

    inside.get<OfShare>(SHARE, async (request, reply) => {
      const ref = ctx.shares.parseToken(request.params.token)
      return reply.send(await shareText(ctx, ref, findVoter(request)))
    })

    inside.put<OfShare & { Body: VotesBody }>(
      `${SHARE}/votes`,
      { schema: { body: VotesBody } },
      async (request, reply) => {
        const ref = ctx.shares.parseToken(request.params.token)
        const voter = findVoter(request)
        if (!voter) throw wrongField('/Namewright-Voter', '22 characters of base64url')
        const { name, votes } = request.body
        const given = new Map(Object.entries(votes))
        if (![...given.keys()].every(isUuid)) throw wrongField('/votes', 'item id')
        await ctx.shares.vote(ref, { voter, name: name === undefined ? undefined : plainLine(name), votes: given })
        return reply.send(await shareText(ctx, ref, voter))
      },
    )

    inside.post<OfShare & { Body: CommentBody }>(
      `${SHARE}/comments`,
      { schema: { body: CommentBody } },
      async (request, reply) => {
        const ref = ctx.shares.parseToken(request.params.token)
        const { name, text, item_id: itemId } = request.body
        const remark = { author: plainLine(name), text: plainText(text), itemId: itemId?.toLowerCase() }
        if (remark.author === '') throw wrongField('/name', 'a name')
        if (remark.text === '') throw wrongField('/text', 'some words')
        await ctx.shares.comment(ref, remark)
        return reply.code(201).send(await shareText(ctx, ref, findVoter(request)))
      },
    )
  })
}

async function shareText(ctx: Context, ref: ShareRef, voter: Buffer | undefined): Promise<string> {
  const [share, votes] = await Promise.all([ctx.shares.open(ref), voter && ctx.shares.votesOf(ref, voter)])
  return successOf(JSON.stringify({ share: publicShare(share), mine: Object.fromEntries(votes ?? []) }))
}

/** Undefined when there is none, or it is not of our page. */
function findVoter({ headers }: FastifyRequest): Buffer | undefined {
  const sent = headers['namewright-voter']
  return typeof sent === 'string' && VOTER.test(sent) ? hash('sha256', sent, 'buffer') : undefined
}

function wrongField(pointer: string, expected: string): ApiError {
  return new ApiError('invalid_request', { fields: [{ pointer, code: 'bad_format', params: { expected } }] })
}
