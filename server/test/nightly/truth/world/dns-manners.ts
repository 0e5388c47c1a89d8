/** How a resolver of the loopback internet answers: rightly, or in one of the ways in which resolvers go wrong. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerTo, frame, openFakeResolver, truncated } from '../../../internet/fake-resolver.ts'
import type { FakeResolver } from '../../../internet/fake-resolver.ts'

type IsDelegated = (domain: string) => boolean
type Manner = (query: Buffer, domain: string, right: Buffer) => readonly Buffer[] | Promise<readonly Buffer[]>

// Later than a resolver across the world, sooner than the first retry.
const SLOW_MS = 150

export const DNS_MANNERS = {
  well: (_query, _domain, right) => [right],
  slow: (_query, _domain, right) => sleep(SLOW_MS, [right]),
  silent: () => [],
  servfail: (query) => [answerTo(query, 'servfail')],
  refused: (query) => [answerTo(query, 'refused')],
  garbage: (query) => [randomBytes(80), Buffer.concat([query.subarray(0, 2), randomBytes(60)]), Buffer.alloc(0)],
  truncated: (query) => [truncated(query)],
  'truncated, nothing over TCP': (query) => [truncated(query)],
  'wrong id': (_query, _domain, right) => [right, right].map((message, at) => withId(message, 1 + at)),
  // The right bytes of an answer, for a query nobody sent.
  'another name': (query, domain) => [withName(answerTo(query, 'nxdomain', { zone: suffixOf(domain) }))],
  'cut off': (query, domain) => [answerTo(query, 'nxdomain', { zone: suffixOf(domain) }).subarray(0, -9)],
  // Neither an authority nor willing to ask one.
  referral: (_query, _domain, right) => [withFlags(right, 0x8000 | (right.readUInt16BE(2) & 0x000f))],
  'no such suffix': (query) => [answerTo(query, 'nxdomain', { zone: '' })],
  // In the place of NXDOMAIN an answer of its own.
  rewriting: (query) => [answerTo(query, 'noerror')],
  'denies all': (query, domain) => [answerTo(query, 'nxdomain', { zone: suffixOf(domain) })],
} satisfies Readonly<Record<string, Manner>>

export type DnsManner = keyof typeof DNS_MANNERS

/** Of one manner for all, or by domain. */
export function openResolver(
  mannerOf: DnsManner | ((domain: string) => DnsManner),
  isDelegated: IsDelegated,
): Promise<FakeResolver> {
  const right = (query: Buffer, domain: string) => rightTo(query, domain, isDelegated)
  const manner = (domain: string) => (typeof mannerOf === 'string' ? mannerOf : mannerOf(domain))
  return openFakeResolver((query, domain) => DNS_MANNERS[manner(domain)](query, domain, right(query, domain)), {
    probes: 'shown',
    overTcp: (query, domain) => (manner(domain) === 'truncated' ? [frame(right(query, domain))] : []),
  })
}

/** A home router: it forwards, keeps so many queries open as dnsmasq does by default, and refuses the others. */
export const ROUTER = 'home router'
const ROUTER_OPEN = 150
const ROUTER_MS = 30

export function openRouter(isDelegated: IsDelegated): Promise<FakeResolver> {
  let open = 0
  return openFakeResolver(
    async (query, domain) => {
      if (open >= ROUTER_OPEN) return [answerTo(query, 'refused')]
      open += 1
      await sleep(ROUTER_MS)
      open -= 1
      return [rightTo(query, domain, isDelegated)]
    },
    { probes: 'shown' },
  )
}

function rightTo(query: Buffer, domain: string, isDelegated: IsDelegated): Buffer {
  return isDelegated(domain) ? answerTo(query, 'noerror') : answerTo(query, 'nxdomain', { zone: suffixOf(domain) })
}

function suffixOf(domain: string): string {
  return domain.slice(domain.indexOf('.') + 1)
}

function withId(message: Buffer, more: number): Buffer {
  const copy = Buffer.from(message)
  copy.writeUInt16BE((copy.readUInt16BE(0) + more) & 0xffff, 0)
  return copy
}

function withFlags(message: Buffer, flags: number): Buffer {
  const copy = Buffer.from(message)
  copy.writeUInt16BE(flags, 2)
  return copy
}

/** The first letter of the name in the query is another. */
function withName(message: Buffer): Buffer {
  const copy = Buffer.from(message)
  copy[13] = copy[13] === 0x78 ? 0x79 : 0x78
  return copy
}
