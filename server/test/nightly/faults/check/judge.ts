/**
 * Did the service keep its word? The responses that callers got are held against what the database has.
 *
 * A success is a promise: its effect is there, once, and its answer is the one that is stored. A caller without a response,
 * or with an error, was promised nothing: the effect may be there or not, but not twice. What nobody sent must not be
 * there at all. And the ledger must agree with the effects to the unit.
 *
 * **Invariant: no finding depends on time.** The log and the facts are all that counts.
 */
import type { Facts, KeyBudget } from './facts.ts'
import type { Operation } from '../load/log.ts'

export const FINDINGS = {
  lost: 'acknowledged, and not there',
  twice: 'there more than once',
  unsent: 'there, and nobody sent it',
  unstored: 'acknowledged, and its answer is not stored',
  other_answer: 'another answer is stored than was given',
  other_again: 'asked again, and told something else',
  other_count: 'recorded with another number of names than was answered',
  miscounted: 'the ledger has spent another number than there are names in history',
  overspent: 'more was spent than the limit',
  overleased: 'more was handed out than the limit',
  unbalanced: 'the period and its blocks say different things',
} as const

export type FindingKind = keyof typeof FINDINGS

export interface Finding {
  readonly kind: FindingKind
  /** The mark of what it is about, or the key. */
  readonly about: string
  readonly detail: string
  readonly operation?: Operation
}

export function judge(log: readonly Operation[], facts: Facts): Finding[] {
  const writes = log.filter((operation) => operation.mark !== undefined)
  return [
    ...judgeEffects(
      writes.filter(({ kind }) => kind === 'generate'),
      facts.history,
    ),
    ...judgeEffects(
      writes.filter(({ kind }) => kind === 'favorite'),
      facts.favorites,
    ),
    ...judgeCounts(writes, facts.history),
    ...judgeAnswers(writes, facts.answers),
    ...judgeAgain(writes),
    ...facts.budgets.flatMap((budget) => judgeBudget(budget, facts)),
  ]
}

interface Effect {
  readonly account: string
  readonly mark: string
}

function judgeEffects(writes: readonly Operation[], effects: readonly Effect[]): Finding[] {
  const there = Map.groupBy(effects, nameOf)
  const sent = new Map(writes.map((write) => [nameOf({ account: write.account, mark: write.mark ?? '' }), write]))
  const findings: Finding[] = []
  for (const [name, operation] of sent) {
    if (operation.end?.end === 'done' && !there.has(name)) findings.push(found('lost', operation, when(operation)))
  }
  for (const [name, [effect, ...more]] of there) {
    const operation = sent.get(name)
    const about = effect?.mark ?? name
    if (!operation) findings.push({ kind: 'unsent', about, detail: `of account ${effect?.account}` })
    else if (more.length > 0) findings.push(found('twice', operation, `${more.length + 1} times`))
  }
  return findings
}

function nameOf({ account, mark }: Effect): string {
  return `${account} ${mark}`
}

function judgeCounts(writes: readonly Operation[], history: Facts['history']): Finding[] {
  const recorded = new Map(history.map((row) => [nameOf(row), row.suggestions]))
  return writes.flatMap((operation) => {
    const answered = operation.end?.suggestions
    const written = recorded.get(nameOf({ account: operation.account, mark: operation.mark ?? '' }))
    if (answered === undefined || written === undefined || answered === written) return []
    return [found('other_count', operation, `${written} recorded, ${answered} answered`)]
  })
}

function judgeAnswers(writes: readonly Operation[], answers: Facts['answers']): Finding[] {
  const stored = new Map(answers.map(({ account, idempotencyKey, hash }) => [`${account} ${idempotencyKey}`, hash]))
  return writes.flatMap((operation) => {
    const { account, idempotencyKey, end } = operation
    if (end?.end !== 'done' || idempotencyKey === undefined) return []
    const hash = stored.get(`${account} ${idempotencyKey}`)
    if (hash === undefined) return [found('unstored', operation, when(operation))]
    return hash === end.hash ? [] : [found('other_answer', operation, when(operation))]
  })
}

/** Of whoever asked again, only those that were answered: to ask at a bad moment may fail. */
function judgeAgain(writes: readonly Operation[]): Finding[] {
  return writes.flatMap((operation) => {
    const others = operation.attempts.filter(
      ({ again, hash }) => again && hash !== undefined && hash !== operation.end?.hash,
    )
    return others.length === 0 ? [] : [found('other_again', operation, when(operation))]
  })
}

function judgeBudget(budget: KeyBudget, { history }: Facts): Finding[] {
  const { key, limit, used, granted, leased, leasedInADay } = budget
  const named = history.reduce((sum, row) => (row.key === key ? sum + row.suggestions : sum), 0)
  const findings: Finding[] = []
  const add = (kind: FindingKind, detail: string) => findings.push({ kind, about: key, detail })
  if (used !== named) add('miscounted', `${used} spent, ${named} names`)
  if (limit !== null && used > limit) add('overspent', `${used} of ${limit}`)
  if (limit !== null && leasedInADay > limit) add('overleased', `${leasedInADay} of ${limit}`)
  if (granted !== leased) add('unbalanced', `${granted} granted by blocks, ${leased} in the period`)
  return findings
}

function found(kind: FindingKind, operation: Operation, detail: string): Finding {
  return { kind, about: operation.mark ?? String(operation.op), detail, operation }
}

function when({ end, attempts }: Operation): string {
  const at = end === undefined ? 'never ended' : new Date(end.ended).toISOString()
  return `acknowledged ${at} with ${end?.status ?? 0} after ${attempts.length} attempts`
}
