/**
 * Everybody whom this node asks, and how each has been answering it: what they know of themselves, put side by side.
 *
 * `asked` and `answered` count questions to somebody outside; of our own caches and of the index they count domains that
 * were looked up and found there, so `failed` is always 0 and a low share of answers is no fault.
 */
import type { LookedUp } from '../../availability/lookups.ts'
import type { Context } from '../../context.ts'
import type { Reading } from '../../outbound/pulse.ts'

interface SourceText {
  readonly name: string
  readonly kind: 'registry' | 'registrar' | 'dns' | 'index' | 'cache' | 'language_model'
  readonly state: 'well' | 'slow' | 'failing' | 'resting' | 'off'
  readonly asked: number
  readonly answered: number
  readonly failed: number
  readonly last_answer_at: Date | null
  readonly detail: string | null
}

type What = Pick<SourceText, 'name' | 'kind'>

const NOTHING = { asked: 0, answered: 0, failed: 0, last_answer_at: null }

export function sourcesOf(ctx: Context): readonly SourceText[] {
  const outside = ctx.pulses.list().map(({ name, kind, ...reading }) => textOf({ name, kind }, reading))
  return [...outside, ...ofRdap(ctx), ...ofRegistrars(ctx), ofIndex(ctx), ...ofCaches(ctx), ofLanguageModel(ctx)]
}

function textOf(what: What, { state, asked, answered, failed, lastAnswerAt, detail }: Reading): SourceText {
  const said = detail ?? (asked === 0 ? 'not asked yet' : null)
  return { ...what, state, asked, answered, failed, last_answer_at: dateOf(lastAnswerAt), detail: said }
}

function off(what: What): SourceText {
  return { ...what, state: 'off', ...NOTHING, detail: null }
}

/** The registries show by their hosts once they are asked. */
function ofRdap({ config, pulses }: Context): SourceText[] {
  const what = { name: 'rdap', kind: 'registry' } as const
  if (!config.rdap) return [off(what)]
  const isAsked = pulses.list().some(({ kind }) => kind === 'registry')
  return isAsked ? [] : [{ ...what, state: 'well', ...NOTHING, detail: 'not asked yet' }]
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
  return { ...what, state, ...countsOf(index.lookedUp()), detail }
}

function ofCaches({ availability, cache }: Context): SourceText[] {
  const { memory, shared } = availability.lookedUp()
  const isUp = cache.isUp()
  return [
    { name: 'memory', kind: 'cache', state: 'well', ...countsOf(memory), detail: null },
    {
      name: 'redis',
      kind: 'cache',
      state: isUp ? 'well' : 'failing',
      ...countsOf(shared),
      detail: isUp ? null : 'not connected',
    },
  ]
}

function ofLanguageModel({ config, languageModel }: Context): SourceText {
  const what = { name: config.languageModel?.name ?? 'language model', kind: 'language_model' } as const
  return languageModel ? textOf(what, languageModel.reading()) : off(what)
}

function countsOf({ asked, answered, lastAnswerAt }: LookedUp) {
  return { asked, answered, failed: 0, last_answer_at: dateOf(lastAnswerAt) }
}

function dateOf(ms: number | undefined): Date | null {
  return ms === undefined ? null : new Date(ms)
}
