/**
 * Every family of names, in the order that decides who a label belongs to when two families make it: what somebody
 * wrote comes before what is put together here.
 */
import type { NameRequest } from '../../model/name.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Rules } from '../rules.ts'
import type { Lead, Understanding } from '../understand/understand.ts'
import { asked } from './asked.ts'
import { blended } from './blended.ts'
import { crossed } from './crossed.ts'
import type { Draft } from './draft.ts'
import { hacked } from './hacked.ts'
import { native } from './native.ts'
import { halvesOf } from './parts.ts'
import { respelled } from './respelled.ts'
import { rooted } from './rooted.ts'
import { tailed } from './tailed.ts'
import { written } from './written.ts'

/** How far the families go: what they think best, much of what they can, or all of it with the neutral stock. */
export type Depth = 'best' | 'deep' | 'deepest'

const STOCK = '*stock'
const STOCK_WEIGHT = 0.2
const HALVES = { best: 8, deep: 12, deepest: 12 }
const CROSSED = { best: 100, deep: 1500, deepest: 1500 }
const TAILED = { best: 2, deep: 20, deepest: 60 }
// One word makes about 600.
const AROUND_ASKED = 3_000
const AROUND_PROPER = 900

export function* draftAll(
  knowledge: Knowledge,
  understanding: Understanding,
  rules: Rules,
  ask: NameRequest,
  depth: Depth,
): Generator<Draft, undefined> {
  const leads = depth === 'deepest' ? [...understanding.leads, ...stock(knowledge)] : understanding.leads
  const halves = leads.slice(0, HALVES[depth]).map((lead) => halvesOf(knowledge, lead))
  if (ask.styles?.includes('domain_hack') === true) yield* hacked(written(knowledge, leads), ask.hackSuffixes ?? [])
  if (ask.styles?.includes('respelling') === true) yield* respelled(written(knowledge, leads))
  yield* native(knowledge, leads, ask.language?.split('-')[0] ?? understanding.language, ask.idn ?? false)
  yield* written(knowledge, leads)
  yield* asked(knowledge, understanding, halves, [...rules.includes, ...understanding.liked], AROUND_ASKED)
  yield* asked(knowledge, understanding, halves, understanding.proper, AROUND_PROPER)
  yield* crossed(knowledge, understanding, halves, CROSSED[depth])
  yield* tailed(knowledge, understanding, halves, TAILED[depth])
  yield* blended(halves)
  // Readers liked one in seventy of these: they wait until the better ones are used up.
  if (depth !== 'best') yield* rooted(knowledge, halves)
}

function stock(knowledge: Knowledge): Lead[] {
  const [aspect] = knowledge.forms.get('en')!.exact(STOCK)
  return aspect === undefined ? [] : [{ aspect, weight: STOCK_WEIGHT, because: '', near: 0 }]
}
