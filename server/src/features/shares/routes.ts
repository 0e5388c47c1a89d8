/**
 * /shares: shared lists, for anybody who has the link. It needs no credential and ignores cookies. Plain Fastify, because a
 * declared route belongs to a caller or to a person, and here is neither.
 *
 *   our own page, for writes → limits of the address → token → schema → limits of new voters → list
 *
 * A person who clears the browser can vote again; the votes only support a discussion. A visitor without an account may
 * create a list, too: it belongs to the account of the visitors.
 */
import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { createVisitorKey } from '../keys/index.ts'
import { addressSubject } from '../../platform/limits/limits.ts'
import { VISITORS } from '../../model/caller.ts'
import { isUuid } from '../../model/id.ts'
import { closed } from '../../http/wire/schemas.ts'
import { successOf } from '../../http/wire/texts.ts'
import { takeAddressLimit, type AttemptLimit, requireWithin } from '../../http/within-limits.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { requireOwnPage } from '../../http/settings/session-auth.ts'
import { plainLine } from '../../model/plain-line.ts'
import { draftOf } from './draft.ts'
import type { ShareRef } from './links.ts'
import { publicShare, ShareFieldsBody } from './schemas.ts'
import type { Ballot } from './voting.ts'

const SHARE = '/shares/:token'
// An open page reads its list every five seconds: an office behind one address may have fifty of them.
const READING: AttemptLimit = { address: [36_000, 600] }
const VOTING: AttemptLimit = { address: [20_000, 2_000] }
const VOTING_OF_VOTER = { name: 'share-voter', perHour: 1_200, burst: 200 }
// Counts only a voter's first vote on a list. An office behind one address can vote at once, and a few addresses
// cannot use up all the voters that a list may have: from one address that takes 20 hours, from any number 3.
const NEW_VOTER_OF_ADDRESS = { name: 'share-new-voter', perHour: 20, burst: 100 }
const NEW_VOTER_OF_SHARE = { name: 'share-new-voters', perHour: 100, burst: 200 }
// Each checks up to fifty domains.
const CREATING: AttemptLimit = { address: [10, 5] }
const CREATING_OF_ALL = { name: 'share-create-all', perHour: 1_000, burst: 200 }

/** 128 bits that our page generates and keeps in the browser. */
const VOTER = /^[\w-]{22}$/

const VotesBody = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 60 })),
    votes: Type.Record(Type.String(), Type.Union([Type.Enum(['up', 'down']), Type.Null()])),
  },
  closed,
)
type VotesBody = Static<typeof VotesBody>

interface OfShare {
  Params: { token: string }
}

export function shareRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  const visitorKey = createVisitorKey(ctx)

  void app.register(async (inside) => {
    inside.addHook('onRequest', async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      if (request.method !== 'GET' && request.method !== 'HEAD') requireOwnPage(ctx, request)
    })
    const limited = (name: string, limit: AttemptLimit) => ({
      config: { limit },
      onRequest: (request: FastifyRequest) => takeAddressLimit(ctx, request, name, limit),
    })
    const creating = { ...limited('share-create', CREATING), schema: { body: ShareFieldsBody } }

    inside.post<{ Body: ShareFieldsBody }>('/shares', creating, async (request, reply) => {
      // Also creates the account of the visitors. Where visitors may do nothing, this does not exist.
      if ((await visitorKey.find()) === undefined) throw new ApiError('not_found')
      await requireWithin(ctx, [{ ...CREATING_OF_ALL, subject: 'all' }])
      const draft = await draftOf(ctx, request.body, {
        favoriteIds: [],
        createdBy: null,
        fairnessKey: VISITORS,
        signal: routeContext.disconnectSignalOf(reply),
      })
      const share = await ctx.shares.create(VISITORS, draft)
      const path = ctx.shares.pathOf(VISITORS, share) ?? ''
      const made = { ...publicShare(share, ctx.prices), url: `${ctx.publicUrl}${path}` }
      return reply.code(201).send(successOf(JSON.stringify({ share: made })))
    })

    inside.get<OfShare>(SHARE, limited('share-look', READING), async (request, reply) => {
      const ref = await ctx.shares.parseToken(request.params.token)
      const share = await ctx.shares.open(ref, findVoter(request))
      const mine = share.items.flatMap((item) => (item.mine === null ? [] : [[item.id, item.mine ? 'up' : 'down']]))
      return reply.send(
        successOf(JSON.stringify({ share: publicShare(share, ctx.prices), mine: Object.fromEntries(mine) })),
      )
    })

    inside.put<OfShare & { Body: VotesBody }>(
      `${SHARE}/votes`,
      { ...limited('share-vote', VOTING), schema: { body: VotesBody } },
      async (request, reply) => {
        const voter = findVoter(request)
        if (!voter) throw wrongField('/Namewright-Voter', '22 characters of base64url')
        const { name, votes } = request.body
        const given = new Map(Object.entries(votes).map(([id, vote]) => [id.toLowerCase(), vote]))
        if (![...given.keys()].every(isUuid)) throw wrongField('/votes', 'item id')
        const ref = await ctx.shares.parseToken(request.params.token)
        const ballot = { voter, name: name === undefined ? undefined : plainLine(name), votes: given }
        await takeVoterLimits(ctx, request, ref, ballot)
        const counts = await ctx.shares.vote(ref, ballot)
        const items = counts.map(({ id, up, down }) => ({ id, votes: { up, down } }))
        return reply.send(successOf(JSON.stringify({ items })))
      },
    )
  })
}

/** Fails with rate_limited. Only the first vote that somebody gives on this list counts as one of a new voter. */
async function takeVoterLimits(ctx: Context, request: FastifyRequest, ref: ShareRef, ballot: Ballot): Promise<void> {
  await requireWithin(ctx, [{ ...VOTING_OF_VOTER, subject: `${ref.id} ${ballot.voter.toString('hex')}` }])
  if (!(await ctx.shares.isFirstVote(ref, ballot))) return
  // The address first: a vote that is refused there must not count against the limit of the list.
  await requireWithin(ctx, [{ ...NEW_VOTER_OF_ADDRESS, subject: `${ref.id} ${addressSubject(request.ip)}` }])
  await requireWithin(ctx, [{ ...NEW_VOTER_OF_SHARE, subject: ref.id }])
}

/** The hash of the sender's voter, which is all that is stored. Undefined if there is none, or if it has another form. */
function findVoter({ headers }: FastifyRequest): Buffer | undefined {
  const sent = headers['namewright-voter']
  return typeof sent === 'string' && VOTER.test(sent) ? hash('sha256', sent, 'buffer') : undefined
}

function wrongField(pointer: string, expected: string): ApiError {
  return new ApiError('invalid_request', { fields: [{ pointer, code: 'bad_format', params: { expected } }] })
}
