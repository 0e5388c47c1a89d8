/**
 * /shares: names behind a link, for anybody who has it. It needs no credential and ignores cookies.
 *
 *   our own page, for writes → limits of the address → token → schema → limits of new voters → share
 *
 * A voter is identified by `Namewright-Voter` (`../share-voter.ts`). A person who clears the browser can vote again; the
 * votes only support a discussion. A visitor without an account may create a share, too: it belongs to the account of
 * the visitors.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { createVisitorKey } from '../../flows/open-to-visitors.ts'
import { addressSubject } from '../../tenancy/limits/limits.ts'
import { VISITORS } from '../../model/caller.ts'
import { isUuid } from '../../model/id.ts'
import { plainLine, plainText } from '../../library/shares/shares.ts'
import type { ShareRef } from '../../library/shares/shares.ts'
import { closed } from '../../wire/schemas.ts'
import { successOf } from '../../wire/texts.ts'
import type { RouteContext } from '../route-context.ts'
import { requireOwnPage } from '../settings/session-auth.ts'
import { draftOf, ShareFields } from '../share-draft.ts'
import type { ShareFieldsBody } from '../share-draft.ts'
import { createShareEvents } from '../share-events.ts'
import { addFurtherNames } from '../share-names.ts'
import { publicShare } from '../share-texts.ts'
import { findVoter, voterOf, wrongField } from '../share-voter.ts'
import { requireWithin } from '../within-limits.ts'

const SHARE = '/shares/:token'
// An office behind one address may open a room at the same time, and vote a name a second each.
const READING = { name: 'share-look', perHour: 10_000, burst: 1_000 }
const VOTING = { name: 'share-vote', perHour: 20_000, burst: 2_000 }
const VOTING_OF_VOTER = { name: 'share-voter', perHour: 1_200, burst: 200 }
// Counts only a voter's first vote on a share. An office behind one address can vote at once, and a few addresses
// cannot use up all the voters that a share may have: from one address that takes 20 hours, from any number 3.
export const NEW_VOTER_OF_ADDRESS = { name: 'share-new-voter', perHour: 20, burst: 100 }
export const NEW_VOTER_OF_SHARE = { name: 'share-new-voters', perHour: 100, burst: 200 }
const COMMENTING = { name: 'share-comment', perHour: 60, burst: 20 }
// Each checks up to fifty domains, or generates a dozen names.
const CREATING = { name: 'share-create', perHour: 10, burst: 5 }
const CREATING_OF_ALL = { name: 'share-create-all', perHour: 1_000, burst: 200 }
const SEARCHING = { name: 'share-search', perHour: 20, burst: 10 }

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

const PickBody = Type.Object({ item_id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]) }, closed)
type PickBody = Static<typeof PickBody>

const NewShareBody = Type.Object(ShareFields, closed)

const LIMITS: Readonly<Record<string, { name: string; perHour: number; burst: number }>> = {
  [`GET ${SHARE}`]: READING,
  [`GET ${SHARE}/events`]: READING,
  [`PUT ${SHARE}/votes`]: VOTING,
  [`PUT ${SHARE}/pick`]: COMMENTING,
  [`POST ${SHARE}/comments`]: COMMENTING,
  [`POST ${SHARE}/names`]: SEARCHING,
  'POST /shares': CREATING,
}

interface OfShare {
  Params: { token: string }
}

export function shareRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  const visitorKey = createVisitorKey(ctx)
  const sendEvents = createShareEvents(ctx, routeContext)

  void app.register(async (inside) => {
    inside.addHook('onRequest', async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      const { method, routeOptions } = request
      if (method !== 'GET' && method !== 'HEAD') requireOwnPage(ctx, request)
      const limit = LIMITS[`${method} ${routeOptions.url}`] ?? READING
      await requireWithin(ctx, [{ ...limit, subject: addressSubject(request.ip) }])
    })

    inside.post<{ Body: ShareFieldsBody }>('/shares', { schema: { body: NewShareBody } }, async (request, reply) => {
      // Also creates the account of the visitors. Where visitors may do nothing, this does not exist.
      if ((await visitorKey.find()) === undefined) throw new ApiError('not_found')
      const host = voterOf(request)
      await requireWithin(ctx, [{ ...CREATING_OF_ALL, subject: 'all' }])
      const draft = await draftOf(ctx, request.body, {
        favoriteIds: [],
        createdBy: null,
        host,
        fairnessKey: VISITORS,
        language: routeContext.languageOf(request),
        signal: routeContext.disconnectSignalOf(reply),
      })
      const share = await ctx.shares.create(VISITORS, draft)
      const path = ctx.shares.pathOf(VISITORS, share) ?? ''
      const made = { ...publicShare(share, ctx.now()), url: `${ctx.publicUrl}${path}` }
      return reply.code(201).send(successOf(JSON.stringify({ share: made })))
    })

    inside.get<OfShare>(SHARE, async (request, reply) => {
      const ref = await ctx.shares.parseToken(request.params.token)
      return reply.send(await shareText(ctx, ref, findVoter(request)))
    })

    inside.get<OfShare>(`${SHARE}/events`, { config: { priority: 'bulk', pool: 'watching' } }, async (request, reply) =>
      sendEvents(request, reply, await ctx.shares.parseToken(request.params.token)),
    )

    inside.put<OfShare & { Body: VotesBody }>(
      `${SHARE}/votes`,
      { schema: { body: VotesBody } },
      async (request, reply) => {
        const voter = voterOf(request)
        const { name, votes } = request.body
        const given = new Map(Object.entries(votes).map(([id, vote]) => [id.toLowerCase(), vote]))
        if (![...given.keys()].every(isUuid)) throw wrongField('/votes', 'item id')
        const ref = await ctx.shares.parseToken(request.params.token)
        await takeVoterLimits(ctx, request, ref, voter)
        const shown = name === undefined ? undefined : plainLine(name)
        const counts = await ctx.shares.vote(ref, { voter, name: shown, votes: given })
        const items = counts.map(({ id, up, down }) => ({ id, votes: { up, down } }))
        return reply.send(successOf(JSON.stringify({ items })))
      },
    )

    inside.put<OfShare & { Body: PickBody }>(
      `${SHARE}/pick`,
      { schema: { body: PickBody } },
      async (request, reply) => {
        const voter = voterOf(request)
        const ref = await ctx.shares.parseToken(request.params.token)
        await ctx.shares.pick(ref, voter, request.body.item_id?.toLowerCase() ?? null)
        return reply.send(await shareText(ctx, ref, voter))
      },
    )

    inside.post<OfShare>(`${SHARE}/names`, { config: { pool: 'naming' } }, async (request, reply) => {
      const voter = voterOf(request)
      const ref = await ctx.shares.parseToken(request.params.token)
      const added = await addFurtherNames(ctx, routeContext, request, { ref, voter, visitorKey })
      // Another search is running: its names will be in the events.
      if (added === undefined) return reply.code(202).send(successOf('{"added":0}'))
      return reply.code(201).send(successOf(JSON.stringify({ added })))
    })

    inside.post<OfShare & { Body: CommentBody }>(
      `${SHARE}/comments`,
      { schema: { body: CommentBody } },
      async (request, reply) => {
        const { name, text, item_id: itemId } = request.body
        const remark = { author: plainLine(name), text: plainText(text), itemId: itemId?.toLowerCase() }
        if (remark.author === '') throw wrongField('/name', 'a name')
        if (remark.text === '') throw wrongField('/text', 'some words')
        const ref = await ctx.shares.parseToken(request.params.token)
        await ctx.shares.comment(ref, remark)
        return reply.code(201).send(await shareText(ctx, ref, findVoter(request)))
      },
    )
  })
}

/** Fails with rate_limited. A voter who has already voted on this share is not counted again as a new one. */
async function takeVoterLimits(ctx: Context, request: FastifyRequest, ref: ShareRef, voter: Buffer): Promise<void> {
  await requireWithin(ctx, [{ ...VOTING_OF_VOTER, subject: `${ref.id} ${voter.toString('hex')}` }])
  if ((await ctx.shares.votesOf(ref, voter)).size > 0) return
  // The address first: a vote that is refused there must not count against the limit of the share.
  await requireWithin(ctx, [{ ...NEW_VOTER_OF_ADDRESS, subject: `${ref.id} ${addressSubject(request.ip)}` }])
  await requireWithin(ctx, [{ ...NEW_VOTER_OF_SHARE, subject: ref.id }])
}

async function shareText(ctx: Context, ref: ShareRef, voter: Buffer | undefined): Promise<string> {
  const [share, votes, isHost] = await Promise.all([
    ctx.shares.open(ref),
    voter && ctx.shares.votesOf(ref, voter),
    voter ? ctx.shares.isHost(ref, voter) : false,
  ])
  const mine = Object.fromEntries(votes ?? [])
  return successOf(JSON.stringify({ share: publicShare(share, ctx.now()), mine, is_host: isHost }))
}
