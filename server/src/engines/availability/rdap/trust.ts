/**
 * Tests whether an RDAP server can be trusted, with two control names: a domain that is certainly registered, and one
 * that is certainly unregistered.
 *
 * This catches a server that has lost its data or its address and responds 404 to everything; one that responds 200
 * to everything; and one that handles HEAD differently from GET. It cannot catch a false response for a single name.
 *
 * HEAD is used only if it distinguishes the two; otherwise GET, whose body can be checked. A server that did not
 * respond leaves the test inconclusive.
 */
import { makeUnregisteredName } from '../control-names.ts'
import type { RdapFinding } from './answer.ts'
import type { SuffixQueue, LookupTurn, Method } from './lookup-queue.ts'

export interface RdapTrust {
  readonly method: Method
  /** Its 404 is trusted. */
  readonly absent: boolean
  /** Its 200 is trusted. */
  readonly registered: boolean
}

/** Undefined if the test was inconclusive. `known`: domains of one suffix that should be registered. */
export async function probe(
  queue: SuffixQueue,
  known: readonly [string, ...string[]],
  signal: AbortSignal,
  turn: LookupTurn,
): Promise<RdapTrust | undefined> {
  // First and alone: most faults show here, for one token of the host's budget.
  const found = await findRegistered(queue, known, signal, turn)
  if (found !== 'registered' && found !== 'absent') return undefined
  const registered = found === 'registered'
  const nobodys = makeUnregisteredName(known[0].slice(known[0].indexOf('.') + 1))
  if (registered) {
    const lookups = await Promise.all([known[0], nobodys].map((domain) => queue.lookUp(domain, 'HEAD', signal, turn)))
    const heads = lookups.map(({ finding }) => finding)
    if (heads[0] === 'found' && heads[1] === 'absent') return { method: 'HEAD', absent: true, registered: true }
    if (heads.includes('limited') || heads.includes('broken')) return undefined
  }
  const { finding: bodyOfNobodys } = await queue.lookUp(nobodys, 'GET', signal, turn)
  const isInvented = bodyOfNobodys === 'registered' || bodyOfNobodys === 'ending'
  if (bodyOfNobodys !== 'absent' && !isInvented) return undefined
  return { method: 'GET', absent: registered, registered: !isInvented }
}

/** `registered`: one of them is. `absent`: the server reports that none is. Anything else says nothing about them. */
export async function findRegistered(
  queue: SuffixQueue,
  known: readonly string[],
  signal: AbortSignal,
  turn: LookupTurn,
): Promise<RdapFinding> {
  for (const domain of known) {
    const { finding } = await queue.lookUp(domain, 'GET', signal, turn)
    if (finding === 'registered' || finding === 'ending') return 'registered'
    if (finding !== 'absent') return finding
  }
  return 'absent'
}

/** Followed by the server and the suffix: the key of an outcome in the cache. */
export const TRUST_PREFIX = 'rt:1:'

/** For the cache: the outcome, and when it was found. */
export function writeTrust({ method, absent, registered }: RdapTrust, at: number): string {
  return `${method}|${absent ? 1 : 0}|${registered ? 1 : 0}|${at}`
}

export function readTrust(text: string): { readonly trust: RdapTrust; readonly at: number } | undefined {
  const parts = /^(HEAD|GET)\|([01])\|([01])\|(\d+)$/.exec(text)
  if (parts === null) return undefined
  const method = parts[1] === 'HEAD' ? 'HEAD' : 'GET'
  return { trust: { method, absent: parts[2] === '1', registered: parts[3] === '1' }, at: Number(parts[4]) }
}
