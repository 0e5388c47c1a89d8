/** Verdicts that are emitted while a check goes on: each once, none too early, and the same as in the end. */
import { expect, test } from 'vitest'
import { openAvailability } from './availability.ts'
import type { Evidence, EvidenceSource, Says } from './evidence.ts'
import type { Domain } from '../../model/domain.ts'
import type { Verdict } from '../../model/verdict.ts'

const [TAKEN, SOLD, LISTED, HELD] = ['taken.com', 'sold.com', 'listed.com', 'held.com'] as Domain[] as [
  Domain,
  Domain,
  Domain,
  Domain,
]
const ALL = [TAKEN, SOLD, LISTED, HELD]

const evidence = (source: string, domain: Domain, says: Says): Evidence => ({
  domain,
  source,
  says,
  at: Date.now(),
  ttlMs: 60_000,
})

function sourceOf(name: string, words: ReadonlyMap<Domain, Says>): EvidenceSource {
  const ask: EvidenceSource['ask'] = async (domains) =>
    new Map(
      domains.flatMap((domain) => {
        const says = words.get(domain)
        return says ? [[domain, evidence(name, domain, says)] as const] : []
      }),
    )
  return { name, ask }
}

/** Reports what it knows at once, and then keeps its caller waiting until `end` or until that one gives up. */
function registryOf(words: ReadonlyMap<Domain, Says>, end: Promise<void>): EvidenceSource {
  return {
    name: 'rdap',
    async ask(domains, signal, onEvidence) {
      const said = new Map<Domain, Evidence>()
      for (const domain of domains) {
        const says = words.get(domain)
        if (!says) continue
        said.set(domain, evidence('rdap', domain, says))
        onEvidence?.(evidence('rdap', domain, says))
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => resolve())
      await Promise.race([end, promise])
      return said
    },
  }
}

function open(end: Promise<void>) {
  const dns = sourceOf(
    'dns',
    new Map([
      [TAKEN, 'registered'],
      [LISTED, 'absent'],
    ]),
  )
  // Of two names only the seller says anything; the registry will contradict it about one, and is silent on the other.
  const seller = sourceOf(
    'vercel',
    new Map([
      [SOLD, 'available'],
      [HELD, 'available'],
    ]),
  )
  const registry = registryOf(
    new Map([
      [LISTED, 'absent'],
      [HELD, 'registered'],
    ]),
    end,
  )
  const cache = { getMany: async (keys: readonly string[]) => keys.map(() => null), setMany: async () => {} }
  return openAvailability({
    cache,
    local: [],
    screen: [dns],
    confirm: [seller, registry],
    doubtsOf: () => ({ premiumProne: false, rdapLies: false }),
    now: Date.now,
  })
}

const wordOf = ({ domain, status }: Verdict) => `${domain} ${status}`

async function check(
  deadlineMs: number,
  end: Promise<void>,
  onUpdate: (updates: readonly string[]) => void = () => {},
) {
  const updates: Verdict[] = []
  const { signal } = new AbortController()
  const verdicts = await open(end).check(ALL, {
    deadlineMs,
    depth: 'confirm',
    fresh: true,
    signal,
    onVerdict(verdict) {
      updates.push(verdict)
      onUpdate(updates.map(wordOf))
    },
  })
  return { updates, verdicts }
}

test('each is told when nothing can change it any more, before the slowest has spoken', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const early: string[][] = []
  const { updates, verdicts } = await check(20_000, end, (words) => {
    early.push([...words])
    // All but the name that only its seller speaks of.
    if (words.length === 3) setTimeout(resolve, 20)
  })
  expect(early[2]).toEqual(['taken.com taken', 'listed.com available', 'held.com taken'])
  expect(updates.map(wordOf)).toEqual([...(early[2] ?? []), 'sold.com available'])
  for (const verdict of updates) expect(verdicts.get(verdict.domain)).toBe(verdict)
})

test('a seller alone is never told as available while others are awaited, nor in the end', async () => {
  const { updates, verdicts } = await check(50, new Promise(() => {}))
  expect(updates.map(wordOf)).toEqual(['taken.com taken', 'listed.com available', 'held.com taken', 'sold.com unknown'])
  expect(verdicts.get(SOLD)?.status).toBe('unknown')
})

test('who does not listen gets the same verdicts', async () => {
  const { signal } = new AbortController()
  const end = Promise.resolve()
  const silent = await open(end).check(ALL, { deadlineMs: 1000, depth: 'confirm', fresh: true, signal })
  const { verdicts } = await check(1000, end)
  expect(ALL.map((domain) => silent.get(domain)?.status)).toEqual(ALL.map((domain) => verdicts.get(domain)?.status))
})
