/** The parts of an answer that tests compare, and what a request has cost. */
import type { AccountId } from './source.ts'
import type { Answer, World } from './world.ts'

export interface Entry {
  readonly domain: string
  readonly available: boolean
  readonly price: string
}

export interface Suggested {
  readonly name: string
  readonly domains: readonly Entry[]
  readonly rationale?: string
  readonly score?: Readonly<Record<string, number>>
}

/** Fails loudly when the answer is not the 200 of POST /v1/generate. */
export function suggestionsOf(answer: Answer): readonly Suggested[] {
  if (answer.status !== 200) throw new Error(`expected suggestions, got ${answer.status}: ${answer.text}`)
  return answer.json.data.suggestions
}

export function namesOf(answer: Answer): string[] {
  return suggestionsOf(answer).map(({ name }) => name)
}

export function entriesOf(answer: Answer): Entry[] {
  return suggestionsOf(answer).flatMap(({ domains }) => domains)
}

export function labelOf({ domain }: Entry): string {
  return domain.slice(0, domain.indexOf('.'))
}

export function suffixOf({ domain }: Entry): string {
  return domain.slice(domain.indexOf('.') + 1)
}

/** `['/count too_large']` of a refused request, in the order given. */
export function faultsOf(answer: Answer): string[] {
  const errors: { pointer: string; code: string }[] = answer.json.error?.errors ?? []
  return errors.map(({ pointer, code }) => `${pointer} ${code}`)
}

/** Suggestions that the account has paid for, in the ledger. */
export async function spentBy({ owner }: World, account: AccountId): Promise<number> {
  const text = 'SELECT coalesce(sum(used), 0)::int AS spent FROM quota_block WHERE account_id = $1'
  const { rows } = await owner.query<{ spent: number }>(text, [account])
  return rows[0]?.spent ?? 0
}

/** Records in the table, whatever the service would show of them. */
export async function recordsOf({ owner }: World, account: AccountId): Promise<number> {
  const text = 'SELECT count(*)::int AS records FROM history WHERE account_id = $1'
  const { rows } = await owner.query<{ records: number }>(text, [account])
  return rows[0]?.records ?? 0
}
