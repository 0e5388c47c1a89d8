/**
 * /shares/{token}: a share, for anybody who has its link. It needs no credential and ignores cookies.
 *
 *   our own page, for writes → limits of the address → token → schema → limits of new voters → share
 *
 * A voter is identified by `Namewright-Voter`: a number of 128 bits that our page generates and keeps in the browser.
 * The server stores only its hash. A person who clears the browser can vote again; the votes only support a discussion.
 */
import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { addressSubject } from '../../tenancy/limits/limits.ts'
import { isUuid } from '../../model/id.ts'
import { plainLine, plainText } from '../../library/shares/shares.ts'
import type { ShareRef } from '../../library/shares/shares.ts'
import { closed } from '../../wire/schemas.ts'
import { successOf } from '../../wire/texts.ts'
import { requireOwnPage } from '../settings/session-auth.ts'
import { publicShare } from '../share-texts.ts'
import { requireWithin } from '../within-limits.ts'

const SHARE = '/shares/:token'
// A page may poll every few seconds, and an office behind one address may vote at the same time.
const READING = { name: 'share-look', perHour: 3_600, burst: 300 }
const VOTING = { name: 'share-vote', perHour: 1_200, burst: 120 }
// Counts only a voter's first vote on a share. An office behind one address can vote at once, and a few addresses
// cannot use up all the voters that a share may have: from one address that takes 20 hours, from any number 3.
export const NEW_VOTER_OF_ADDRESS = { name: 'share-new-voter', perHour: 20, burst: 100 }
export const NEW_VOTER_OF_SHARE = { name: 'share-new-voters', perHour: 100, burst: 200 }
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
      const limit = request.method === 'GET' ? READING : request.method === 'PUT' ? VOTING : COMMENTING
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
        await takeVoterLimits(ctx, request, ref, voter)
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

/** Fails with rate_limited. A voter who has already voted on this share is not counted again. */
async function takeVoterLimits(ctx: Context, request: FastifyRequest, ref: ShareRef, voter: Buffer): Promise<void> {
  if ((await ctx.shares.votesOf(ref, voter)).size > 0) return
  // The address first: a vote that is refused there must not count against the limit of the share.
  await requireWithin(ctx, [{ ...NEW_VOTER_OF_ADDRESS, subject: `${ref.id} ${addressSubject(request.ip)}` }])
  await requireWithin(ctx, [{ ...NEW_VOTER_OF_SHARE, subject: ref.id }])
}

async function shareText(ctx: Context, ref: ShareRef, voter: Buffer | undefined): Promise<string> {
  const [share, votes] = await Promise.all([ctx.shares.open(ref), voter && ctx.shares.votesOf(ref, voter)])
  return successOf(JSON.stringify({ share: publicShare(share), mine: Object.fromEntries(votes ?? []) }))
}

/** Undefined if there is none, or if it does not have the form that our page generates. */
function findVoter({ headers }: FastifyRequest): Buffer | undefined {
  const sent = headers['namewright-voter']
  return typeof sent === 'string' && VOTER.test(sent) ? hash('sha256', sent, 'buffer') : undefined
}

function wrongField(pointer: string, expected: string): ApiError {
  return new ApiError('invalid_request', { fields: [{ pointer, code: 'bad_format', params: { expected } }] })
}
