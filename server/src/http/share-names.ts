/**
 * Further names for a share: the votes become `like` and `unlike` of a generate request, and the commit that spends its
 * quota also adds the names.
 *
 *   claim → who pays → limits of a visitor → generate → commit with the names, or give the claim back
 *
 * The account of the person who created the share pays, within the quota of the web app. In a share of a visitor the
 * visitors' allowance pays, and the limits of the address that asks apply.
 */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { generate } from '../flows/generate.ts'
import type { Generated } from '../flows/generate.ts'
import type { VisitorKey } from '../flows/open-to-visitors.ts'
import type { FurtherSearch, SharedName, ShareRef } from '../library/shares/shares.ts'
import { VISITORS } from '../model/caller.ts'
import type { Caller } from '../model/caller.ts'
import { seenText } from '../model/offer.ts'
import { sqlStateOf } from '../platform/db/db.ts'
import { parseGenerateRequest } from '../wire/generate-request.ts'
import type { GenerateBody } from '../wire/schemas.ts'
import { suggestionsText } from '../wire/texts.ts'
import type { RouteContext } from './route-context.ts'
import { takeShare } from './visitors.ts'

// Enough to swipe for a minute.
const NAMES_AT_ONCE = 12
// As many as a generate request takes.
const MAX_STEERING = 20
// As with a language model: in a room, late names are better than none.
const DEADLINE_MS = 10_000
const DIVISION_BY_ZERO = '22012'

/** Returns how many names were added; undefined when another search is running. */
export async function addFurtherNames(
  ctx: Context,
  routeContext: RouteContext,
  request: FastifyRequest,
  { ref, voter, visitorKey }: { ref: ShareRef; voter: Buffer; visitorKey: VisitorKey },
): Promise<number | undefined> {
  const search = await ctx.shares.claimSearch(ref, voter)
  if (!search) return undefined
  try {
    const caller = await payerOf(ctx, request, ref, search, visitorKey)
    await takeShare(ctx, request, caller, NAMES_AT_ONCE)
    return await addNames(ctx, routeContext, request, { ref, search, caller })
  } catch (error) {
    await ctx.shares.endSearch(ref, search.batch).catch(() => undefined)
    // Another search has taken over, after half a minute.
    if (sqlStateOf(error) === DIVISION_BY_ZERO) return undefined
    throw error
  }
}

/** Fails with share_full when nobody pays any longer. */
async function payerOf(
  ctx: Context,
  request: FastifyRequest,
  { account }: ShareRef,
  { createdBy }: FurtherSearch,
  visitorKey: VisitorKey,
): Promise<Caller> {
  if (account !== VISITORS) {
    const caller = createdBy === null ? undefined : await ctx.keys.findAppCaller(account, createdBy)
    if (!caller?.scopes.includes('generate')) throw new ApiError('share_full')
    return caller
  }
  const key = await visitorKey.find()
  if (key === undefined) throw new ApiError('share_full')
  return ctx.keys.verify(key, { ip: request.ip, audience: 'v1', origin: new URL(ctx.publicUrl).origin })
}

async function addNames(
  ctx: Context,
  routeContext: RouteContext,
  request: FastifyRequest,
  { ref, search, caller }: { ref: ShareRef; search: FurtherSearch; caller: Caller },
): Promise<number> {
  const language = routeContext.languageOf(request)
  const generateRequest = parseGenerateRequest(bodyOf(search), {
    prices: ctx.prices,
    suffixes: ctx.config.suffixes,
    withModel: ctx.languageModel !== undefined,
    deadlineMs: DEADLINE_MS,
    language,
    currency: caller.currency,
  })
  // Without the journal: the names are in the database, or they cost nothing. And whoever asked may leave meanwhile.
  const flow = { ...ctx, journal: undefined }
  await using generation = await generate(flow, caller, generateRequest, { signal: routeContext.closing })
  const names = namesOf(generation.result)
  if (names.length === 0) throw new ApiError('no_names')
  const suggestions = suggestionsText(generation.result, generateRequest, routeContext.messagesFor(language))
  await generation.commit(suggestions, ctx.shares.adding(ref, search.batch, names))
  return names.length
}

/** The best first. A name counts as liked or disliked by the difference of its votes. */
export function bodyOf({ batch, description, options, names }: FurtherSearch): GenerateBody {
  const asked = JSON.parse(options) as Partial<GenerateBody>
  const byVotes = names.toSorted((one, other) => other.up - other.down - (one.up - one.down))
  const nameOf = ({ name }: { name: string }) => name.slice(0, 40)
  const like = byVotes.filter(({ up, down }) => up > down).slice(0, MAX_STEERING)
  const unlike = byVotes.filter(({ up, down }) => up < down).slice(-MAX_STEERING)
  return {
    ...asked,
    description,
    count: NAMES_AT_ONCE,
    // No name twice.
    exclude_words: [...(asked.exclude_words ?? []), ...names.map(nameOf)],
    ...(like.length > 0 ? { like: like.map(nameOf) } : {}),
    ...(unlike.length > 0 ? { unlike: unlike.map(nameOf) } : {}),
    seed: batch,
  }
}

/** With the first domain that can be registered: the suffixes are in the order of the request. */
function namesOf({ suggestions }: Generated): SharedName[] {
  return suggestions.flatMap(({ candidate, domains }) => {
    const found = domains.find(({ registrable }) => registrable) ?? domains[0]
    if (!found) return []
    const { verdict, registrable, offer } = found
    return [{ name: candidate.name, domain: verdict.domain, seen: seenText(verdict, registrable, offer) }]
  })
}
