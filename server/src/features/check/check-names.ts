/**
 * Checks names as POST /v1/names/check and the tool for agents do: their domains by the flow of POST /v1/domains/check,
 * and at the same time the namespaces that the caller included.
 */
import type { Namespaces } from '../../engines/namespaces/namespaces.ts'
import { checkDomains } from './check-domains.ts'
import type { CheckContext, Checked } from './check-domains.ts'
import { nameEntries } from './name-texts.ts'
import type { NamesCheckRequest } from './names-check-request.ts'

export interface NamesContext extends CheckContext {
  readonly namespaces: Pick<Namespaces, 'check'>
}

export interface NamesCheck {
  readonly deadlineMs: number
  readonly fresh: boolean
  /** Of the registrant. */
  readonly country?: string | undefined
  /** The key for fair queueing while it waits for budget. */
  readonly fairnessKey: string
}

/** Calls `onUpdate` with the index of a domain when it has a verdict. */
export async function checkNames(
  ctx: NamesContext,
  ask: NamesCheckRequest,
  { deadlineMs, fresh, country, fairnessKey }: NamesCheck,
  signal: AbortSignal,
  onUpdate?: (index: number, checked: Checked) => void,
) {
  const labels = ask.names.map(({ label }) => label)
  const options = { deadlineMs, fresh, fairnessKey }
  const [checked, ...verdicts] = await Promise.all([
    checkDomains(ctx, ask.domains, { ...options, country, forSale: false }, signal, onUpdate),
    ...ask.groups.map((group) => ctx.namespaces.check(labels, { ...options, groups: [group], signal })),
  ])
  return nameEntries(ask, checked, new Map(ask.groups.map((group, index) => [group, verdicts[index] ?? []])))
}
