/**
 * May a server be believed? Found out with two questions whose answers are known: a domain that is registered for
 * sure, and one that nobody can have registered.
 *
 * What this catches: a server that has lost its data or its address and says 404 to everything; one that says 200 to
 * everything; one that answers HEAD by another rule than GET. What it cannot catch: a lie about one name only.
 *
 * HEAD is used only where it tells the two apart; elsewhere GET, whose body can be checked. Nothing is concluded from
 * a server that did not answer.
 */
import { randomInt } from 'node:crypto'
import type { Lane, Method } from './lane.ts'

export interface Trust {
  readonly method: Method
  /** Its 404 is believed. */
  readonly absent: boolean
  /** Its 200 is believed. */
  readonly registered: boolean
}

/** Undefined when nothing could be found out. `known`: domains of one suffix that should be registered. */
export async function probe(
  lane: Lane,
  known: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<Trust | undefined> {
  // First and alone: most of what can be wrong shows here, for one token of the host's budget.
  const registered = await findRegistered(lane, known, signal)
  if (registered === undefined) return undefined
  const nobodys = `${randomLabel()}${known[0].slice(known[0].indexOf('.'))}`
  if (registered) {
    const looks = await Promise.all([lane.look(known[0], 'HEAD', signal), lane.look(nobodys, 'HEAD', signal)])
    const heads = looks.map(({ finding }) => finding)
    if (heads[0] === 'found' && heads[1] === 'absent') return { method: 'HEAD', absent: true, registered: true }
    if (heads.includes('limited') || heads.includes('broken')) return undefined
  }
  const { finding: bodyOfNobodys } = await lane.look(nobodys, 'GET', signal)
  const isInvented = bodyOfNobodys === 'registered' || bodyOfNobodys === 'ending'
  if (bodyOfNobodys !== 'absent' && !isInvented) return undefined
  return { method: 'GET', absent: registered, registered: !isInvented }
}

/** True: one of them is. False: the server says that none is. */
async function findRegistered(lane: Lane, known: readonly string[], signal: AbortSignal): Promise<boolean | undefined> {
  for (const domain of known) {
    const { finding } = await lane.look(domain, 'GET', signal)
    if (finding === 'registered' || finding === 'ending') return true
    if (finding !== 'absent') return undefined
  }
  return false
}

function randomLabel(): string {
  // 26 to the power of 20: no registry has one by accident.
  return Array.from({ length: 20 }, () => String.fromCharCode(97 + randomInt(26))).join('')
}

/** For the cache: what was found out, and when. */
export function writeTrust({ method, absent, registered }: Trust, at: number): string {
  return `${method}|${absent ? 1 : 0}|${registered ? 1 : 0}|${at}`
}

export function readTrust(text: string): { readonly trust: Trust; readonly at: number } | undefined {
  const parts = /^(HEAD|GET)\|([01])\|([01])\|(\d+)$/.exec(text)
  if (parts === null) return undefined
  const method = parts[1] === 'HEAD' ? 'HEAD' : 'GET'
  return { trust: { method, absent: parts[2] === '1', registered: parts[3] === '1' }, at: Number(parts[4]) }
}
