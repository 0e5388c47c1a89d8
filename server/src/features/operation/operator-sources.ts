/**
 * The health of every source that this node uses, as one list for the operator.
 *
 * For external sources `asked` and `answered` count queries. For our own caches and the index they count domains that
 * were looked up and found there, so `failed` is always 0 and a low hit rate is no fault.
 */
import type { LookupCounts } from '../../engines/availability/verdict-cache.ts'
import type { SourceTrust } from '../../engines/availability/trust.ts'
import type { Context } from '../../context.ts'
import { costPerThousand, type ModelUsage, type TokenPrice } from '../../engines/language-model/tally.ts'
import type { HealthReading } from '../../platform/outbound/health-tracker.ts'
import type { SOURCE_KINDS, SOURCE_STATES } from './schemas.ts'

interface SourceText {
  readonly name: string
  readonly kind: (typeof SOURCE_KINDS)[number]
  readonly state: (typeof SOURCE_STATES)[number]
  readonly asked: number
  readonly answered: number
  readonly failed: number
  readonly last_answer_at: Date | null
  readonly detail: string | null
}

type What = Pick<SourceText, 'name' | 'kind'>

const NOTHING = { asked: 0, answered: 0, failed: 0, last_answer_at: null }

export function sourcesOf(ctx: Context): readonly SourceText[] {
  const outside = ctx.sourceHealth.list().flatMap(({ name, kind, trust, ...reading }) => {
    return kind === 'index' ? [] : [withTrust(textOf({ name, kind }, reading), trust)]
  })
  return [...outside, ...ofRdap(ctx), ...ofRegistrars(ctx), ofIndex(ctx), ...ofCaches(ctx), ofLanguageModel(ctx)]
}

/** A source that has failed its test counts as failing, however well it answers. */
function withTrust(text: SourceText, trust: SourceTrust | undefined): SourceText {
  if (trust === undefined) return text
  if (trust.state === 'trusted') return { ...text, detail: text.detail ?? trust.why ?? null }
  // The circuit breaker's reason says more than that the source is unreachable.
  if (trust.state === 'unreachable' && text.state === 'resting') return text
  const detail = trust.why === undefined ? trust.state : `${trust.state}: ${trust.why}`
  return { ...text, state: trust.state === 'proving' ? text.state : 'failing', detail }
}

function textOf(what: What, { state, asked, answered, failed, lastAnswerAt, detail }: HealthReading): SourceText {
  const said = detail ?? (asked === 0 ? 'not used yet' : null)
  return { ...what, state, asked, answered, failed, last_answer_at: dateOf(lastAnswerAt), detail: said }
}

function off(what: What): SourceText {
  return { ...what, state: 'off', ...NOTHING, detail: null }
}

/** Once registries are asked, each is listed by its host. */
function ofRdap({ config, sourceHealth }: Context): SourceText[] {
  const what = { name: 'rdap', kind: 'registry' } as const
  if (!config.rdap) return [off(what)]
  const isAsked = sourceHealth.list().some(({ kind }) => kind === 'registry')
  return isAsked ? [] : [{ ...what, state: 'well', ...NOTHING, detail: 'not used yet' }]
}

function ofRegistrars({ config }: Context): SourceText[] {
  return config.registrars.order.length > 0 ? [] : [off({ name: 'registrars', kind: 'registrar' })]
}

function ofIndex({ index }: Context): SourceText {
  const what = { name: 'index', kind: 'index' } as const
  if (!index) return off(what)
  const [all, believed] = [index.suffixes().size, index.believed()]
  const state = believed === 0 ? 'failing' : believed < all ? 'slow' : 'well'
  const detail = believed === all ? `${all} suffixes` : `${believed} of ${all} suffixes; the others are too old`
  return withTrust({ ...what, state, ...countsOf(index.lookups()), detail }, index.trust())
}

function ofCaches({ availability, cache }: Context): SourceText[] {
  const { memory, shared } = availability.lookupsOf()
  const redis = { name: 'redis', kind: 'cache' } as const
  const state = cache.state()
  return [
    { name: 'memory', kind: 'cache', state: 'well', ...countsOf(memory), detail: null },
    state === 'off'
      ? off(redis)
      : {
          ...redis,
          state: state === 'up' ? 'well' : 'failing',
          ...countsOf(shared),
          detail: state === 'up' ? null : 'not connected',
        },
  ]
}

function ofLanguageModel({ config, languageModel }: Context): SourceText {
  const what = { name: config.languageModel?.name ?? 'language model', kind: 'language_model' } as const
  if (!languageModel) return off(what)
  const text = textOf(what, languageModel.reading())
  const usage = usageText(languageModel.usage(), config.languageModel?.price)
  return text.detail === null && usage !== undefined ? { ...text, detail: usage } : text
}

/** The share of requests that needed no call, and what a thousand requests cost on this node since it started. */
function usageText(usage: ModelUsage, price: TokenPrice | undefined): string | undefined {
  const { called, reused } = usage
  const requests = called + reused
  if (requests === 0) return undefined
  const share = `${Math.round((100 * reused) / requests)} % of ${requests} requests without a call`
  if (price === undefined) return share
  return `${share}, about $${costPerThousand(usage, price).toFixed(2)} per 1000 requests`
}

function countsOf({ asked, answered, lastAnswerAt }: LookupCounts) {
  return { asked, answered, failed: 0, last_answer_at: dateOf(lastAnswerAt) }
}

function dateOf(ms: number | undefined): Date | null {
  return ms === undefined ? null : new Date(ms)
}
