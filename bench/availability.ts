/**
 * `pnpm bench availability`: names per CPU-second through index, DNS and cache against the loopback internet, and in
 * the same run Node's own `dns.promises` (NS records through the same resolver) doing the same job. Half of the names are
 * registered. CPU is that of this process alone.
 *
 * Three figures are ours: names that nobody has asked about (index, then DNS), the same names again on another node
 * (shared cache), and once more on the same node (memory).
 */
import { Resolver } from 'node:dns/promises'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAvailability } from '../server/src/engines/availability/availability.ts'
import type { Availability } from '../server/src/engines/availability/availability.ts'
import { openDnsSource } from '../server/src/engines/availability/dns-source.ts'
import { readDoubts } from '../server/src/engines/availability/doubts.ts'
import { buildIndex } from '../packages/zone-index/src/build.ts'
import { readRegisteredNames } from '../server/src/engines/availability/control-names.ts'
import { openIndexSource } from '../server/src/engines/availability/index-source.ts'
import { openCache } from '../server/src/platform/cache/cache.ts'
import { openLog } from '../server/src/platform/log.ts'
import type { Domain, Suffix } from '../server/src/model/domain.ts'
import type { Verdict } from '../server/src/model/verdict.ts'
import { readInternet } from '../server/test/internet/read-internet.ts'
import { REDIS_TIMEOUT_MS } from '../server/test/redis.ts'

const RESOLVER = '127.0.0.1:5320'
const ZONES = join(
  process.env.NAMEWRIGHT_SERVICES_DIR ?? join(tmpdir(), `namewright-services-${process.getuid?.()}`),
  'czds',
)
const SUFFIXES = ['com', 'net', 'org', 'io']
const now = Date.now

export async function benchAvailability({ names }: { names: number }): Promise<void> {
  const internet = readInternet()
  const isDelegated = (domain: string) => internet.isDelegated(domain)
  const taken = SUFFIXES.flatMap((suffix) => internet.labelsOf(suffix).map((label) => `${label}.${suffix}` as Domain))
  const domains = Array.from({ length: names }, (_, i) =>
    i % 2 === 0
      ? (taken[(i / 2) % taken.length] ?? ('' as Domain))
      : (`free-for-sure-${i}.${SUFFIXES[i % 4]}` as Domain),
  )
  const folder = mkdtempSync(join(tmpdir(), 'bench-availability-'))
  const cache = await openCache({ urls: ['redis://127.0.0.1:6379/8'], timeoutMs: REDIS_TIMEOUT_MS })
  await cache.run(`redis.call('FLUSHDB') return {}`, [], [])
  const zones = readdirSync(ZONES)
    .filter((file) => SUFFIXES.includes(file.replace('.txt.gz', '')))
    .map((file) => ({ suffix: file.replace('.txt.gz', '') as Suffix, path: join(ZONES, file) }))
  await buildIndex({ zones, out: join(folder, 'index'), snapshotAt: now() })
  const index = await openIndexSource({
    from: { directory: join(folder, 'index') },
    cacheDirectory: join(folder, 'copy'),
    now,
    log: openLog('error'),
    registeredIn: readRegisteredNames(),
    onTrust: () => {},
  })
  await index.refresh()
  const dns = openDnsSource({ resolvers: [RESOLVER], now })
  const doubtsOf = readDoubts()
  const openNode = () => openAvailability({ cache, local: [index], screen: [dns], confirm: [], doubtsOf, now })
  try {
    const first = openNode()
    await checkAll(first, domains.slice(0, 5_000))
    const fresh = await measure('index and DNS, names new to us', names, () => checkAll(first, domains), isDelegated)
    await new Promise((written) => setTimeout(written, 500))
    const second = openNode()
    await measure('shared cache, another node', names, () => checkAll(second, domains), isDelegated)
    await measure('memory, the same node', names, () => checkAll(second, domains), isDelegated)
    const some = domains.slice(0, Math.min(names, 20_000))
    const native = await measure('dns.promises', some.length, () => byNode(some), isDelegated)
    console.log(`against dns.promises ×${(fresh / native).toFixed(1)}`)
  } finally {
    await Promise.all([index.close(), dns.close(), cache.close()])
    rmSync(folder, { recursive: true })
  }
}

async function measure(
  what: string,
  names: number,
  work: () => Promise<ReadonlyMap<Domain, Verdict>[] | void>,
  isDelegated: (domain: string) => boolean,
): Promise<number> {
  const [cpu, at] = [process.cpuUsage(), performance.now()]
  const answers = await work()
  const { user, system } = process.cpuUsage(cpu)
  const perCpuSecond = names / ((user + system) / 1e6)
  const perSecond = names / ((performance.now() - at) / 1000)
  console.log(`${what}: ${perCpuSecond.toFixed(0)} names per CPU-second, ${perSecond.toFixed(0)} per second`)
  // Right or it does not count.
  for (const [domain, { status }] of (answers ?? []).flatMap((answer) => [...answer])) {
    if (isDelegated(domain) !== (status === 'taken')) throw new Error(`${domain} is ${status}`)
  }
  return perCpuSecond
}

/** A hundred names a call, eight calls at a time. */
async function checkAll(
  availability: Availability,
  domains: readonly Domain[],
): Promise<ReadonlyMap<Domain, Verdict>[]> {
  const batches = Array.from({ length: Math.ceil(domains.length / 100) }, (_, i) =>
    domains.slice(i * 100, i * 100 + 100),
  )
  const { signal } = new AbortController()
  const answers: ReadonlyMap<Domain, Verdict>[] = []
  await parallel(8, batches, async (batch) => {
    answers.push(await availability.check(batch, { deadlineMs: 20_000, depth: 'screen', fresh: false, signal }))
  })
  return answers
}

async function byNode(domains: readonly Domain[]): Promise<void> {
  const resolver = new Resolver()
  resolver.setServers([RESOLVER])
  await parallel(64, domains, (domain) => resolver.resolveNs(domain).catch(() => []))
}

async function parallel<T>(
  concurrency: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}
