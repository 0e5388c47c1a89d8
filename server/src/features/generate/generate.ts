/**
 * POST /v1/generate: `generate` reserves quota and lets `suggest` find the names; the caller presents them and calls
 * `commit`.
 *
 * One commit contains the record, the spent quota and the statements that the caller adds: all or none.
 *
 * A request that fails or is abandoned costs nothing. A stream costs the names that it showed and did not withdraw, also
 * when it ends early; then it leaves no record, since its response was never completed. A second try with the same
 * Idempotency-Key costs only the names that no earlier try was charged for.
 */
import type { Audit } from '../../engines/availability/audit.ts'
import type { History } from '../history/history.ts'
import { ApiError } from '../../model/errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { GenerateRequest } from '../../model/generate-request.ts'
import type { StreamReader } from '../../model/stream-reader.ts'
import type { Db, Statement } from '../../platform/db/db.ts'
import { withSpan } from '../../platform/tracing/trace-context.ts'
import type { NamingSubject, NamingTime } from './naming-time.ts'
import type { QuotaReservation, Quota } from '../quota/quota.ts'
import { suggest } from './suggest.ts'
import type { Generated, OnUpdate, SuggestContext, SuggestOptions } from './suggest.ts'

export type { Generated, OnUpdate } from './suggest.ts'

export interface GenerateContext extends SuggestContext {
  readonly db: Db
  readonly quota: Pick<Quota, 'reserve' | 'takeChecks'>
  readonly namingTime: Pick<NamingTime, 'require' | 'charge'>
  readonly audit: Pick<Audit, 'note'>
  readonly history: History
}

type GenerateReader = StreamReader<Parameters<OnUpdate>>

export interface GenerateOptions extends Pick<SuggestOptions, 'isBackground'> {
  readonly signal: AbortSignal
  /** Who asks, of those whom the caller's account lets ask: the account by default. */
  readonly namingSubject?: NamingSubject | undefined
  readonly reader?: GenerateReader | undefined
  /** What identifies this request in all its tries, if it may be tried again. */
  readonly chargeId?: string | undefined
}

/** Names that are found and not yet paid for. Disposing of it returns the reserved units that no commit has spent. */
export interface Generation extends AsyncDisposable {
  readonly result: Generated
  /**
   * Records the result and spends its cost, with the statements of the caller: all or none. `suggestions` is the JSON
   * text that is sent. Returns the cost.
   */
  commit(suggestions: string, alongside: readonly Statement[]): Promise<number>
}

/** The most suggestions that a request can have. */
export function unitsOf({ count, candidates }: GenerateRequest): number {
  return candidates && !candidates.fill ? Math.min(count, candidates.names.length) : count
}

/** How many of its plan's daily checks the candidates of a request cost. */
export function checksOf(
  { variants }: Pick<GenerateContext, 'variants'>,
  { candidates, suffixes, variants: hasVariants }: GenerateRequest,
): number {
  const perDomain = hasVariants ? 1 + variants.length : 1
  const names = candidates?.names.flatMap((one) => ('label' in one ? [one] : [])) ?? []
  return names.reduce((sum, { suffix }) => sum + perDomain * (suffix === undefined ? suffixes.length : 1), 0)
}

export async function generate(
  ctx: GenerateContext,
  caller: Caller,
  request: GenerateRequest,
  {
    signal,
    reader,
    chargeId,
    isBackground,
    namingSubject = { kind: 'account', id: caller.accountId },
  }: GenerateOptions,
): Promise<Generation> {
  // Background work has waited instead, before it took its place.
  if (isBackground !== true) await ctx.namingTime.require(namingSubject)
  await using reserved = new AsyncDisposableStack()
  const reservation = reserved.use(await withSpan('quota.reserve', () => ctx.quota.reserve(caller, unitsOf(request))))
  // The checks of a batch were counted when it was accepted.
  const checks = isBackground ? 0 : checksOf(ctx, request)
  if (checks > 0) await ctx.quota.takeChecks(caller, checks)
  const result = await findOrCharge()
  const kept = reserved.move()
  return {
    result,
    async commit(suggestions, alongside) {
      const record = { ...request, description: request.names.description, suggestions }
      const statements = [...ctx.history.recording(caller, record), ...alongside]
      const names = result.suggestions.map(({ proposal }) => proposal.name)
      const spending =
        chargeId === undefined
          ? reservation.spending(names.length)
          : reservation.spendingShown({ id: chargeId, names, withdrawn: withdrawnBy(reader, names) })
      const cost = await commit(ctx, caller, reservation, { statements, spending, units: names.length })
      const shown = result.suggestions.flatMap(({ domains }) => domains)
      for (const { registrable, verdict } of shown) if (registrable) ctx.audit.note(verdict)
      await ctx.history.keepWithinPlan(caller, record)
      return cost
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }

  async function mayCheck(domains: number): Promise<boolean> {
    try {
      await ctx.quota.takeChecks(caller, domains)
      return true
    } catch (error) {
      if (error instanceof ApiError && error.code === 'checks_exceeded') return false
      throw error
    }
  }

  async function findOrCharge(): Promise<Generated> {
    try {
      const options = {
        onUpdate: reader?.onUpdate,
        fairnessKey: caller.accountId,
        namingSubject,
        isBackground,
        mayCheck,
      }
      const found = await suggest(ctx, request, signal, options)
      if (reader?.isGone()) throw new DOMException('the client disconnected', 'AbortError')
      return found
    } catch (error) {
      if (reader) await chargeSent(ctx, caller, reservation, { id: chargeId, ...reader.sentNames() })
      throw error
    }
  }
}

/** What a stream has shown and its result does not contain: its reader is told so, if not yet, after the commit. */
function withdrawnBy(reader: GenerateReader | undefined, names: readonly string[]): readonly string[] {
  if (!reader) return []
  const { shown, withdrawn } = reader.sentNames()
  const final = new Set(names)
  return [...shown, ...withdrawn].filter((name) => !final.has(name))
}

/** Charges a stream that ended early for the names that it showed. */
async function chargeSent(
  ctx: GenerateContext,
  caller: Caller,
  reservation: QuotaReservation,
  { id, shown, withdrawn }: { id: string | undefined } & ReturnType<GenerateReader['sentNames']>,
): Promise<void> {
  if (shown.length === 0 && withdrawn.length === 0) return
  await commit(ctx, caller, reservation, {
    statements: [],
    spending: reservation.spendingInterrupted({ id, names: shown, withdrawn }),
    units: shown.length,
  })
}

interface Commit {
  readonly statements: readonly Statement[]
  readonly spending: Statement
  /** The cost, unless `spending` returns less: names charged to an earlier try cost nothing. */
  readonly units: number
}

/** Commits, and keeps of the reserved units what the commit cost: that is returned. */
async function commit(
  { db }: Pick<GenerateContext, 'db'>,
  { accountId }: Caller,
  reservation: QuotaReservation,
  { statements, spending, units }: Commit,
): Promise<number> {
  try {
    const answers = await withSpan('history.commit', () => db.as(accountId, [...statements, spending]))
    const [counted] = (answers.at(-1)?.rows ?? []) as readonly { units?: number }[]
    const cost = counted?.units ?? units
    reservation.recordCommit(cost)
    return cost
  } catch (error) {
    throw await reservation.recordFailedCommit(error)
  }
}
