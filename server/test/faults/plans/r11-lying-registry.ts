/**
 * A registry answers in every wrong way there is, under load: no registered name is called available, and memory stays
 * where it is.
 *
 * The names are registered, and only the registry knows: nothing else could save the service from believing it. Free
 * names are asked of it while it is honest, so that a service which calls nothing available is noticed.
 */
import { readFile } from 'node:fs/promises'
import type { Fault } from '../../internet/rdap-server.ts'
import { openLine } from '../load/line.ts'
import { safety, timing } from './bars.ts'
import type { Plan } from './plan.ts'
import { openRegistryWorld } from './registry-world.ts'

const LIES: readonly Fault[] = [
  'html_404',
  'html',
  'empty',
  'bad_json',
  'deep_json',
  'not_a_domain',
  'other_name',
  'gzip_bomb',
  'huge',
  'huge_in_chunks',
  'redirect',
  'hang_up',
  { status: 500 },
  { status: 429, retryAfter: '1' },
]
const ROUNDS = { ci: 1, full: 10 }
const CALLS_AT_ONCE = 4
const NAMES_A_CALL = 6
const MEMORY_MB = 150

interface Checked {
  readonly domain: string
  readonly available: boolean
}

export const plan: Plan = {
  id: 'r11',
  title: 'a registry that lies',
  async run(stage) {
    const isHeld = (domain: string) => domain.startsWith('held-for-sure-')
    await using registryWorld = await openRegistryWorld({ NAMEWRIGHT_AVAILABILITY_MODE: 'strict' }, isHeld)
    const { registries, startNode, ground } = registryWorld
    const { secret } = await ground.makeKey(await ground.makeAccount())
    let next = 0
    let called = 0
    let grown = 0
    const unmet: string[] = []
    const failures: string[] = []
    const wrong: string[] = []

    async function check(url: string, domains: readonly string[]): Promise<readonly Checked[]> {
      await using line = openLine([url], 1)
      called += domains.length
      const body = JSON.stringify({ domains, verify: 'full' })
      const { status, text } = await line.send({ method: 'POST', path: '/v1/domains/check', secret, body }, 20_000)
      if (status === 200) return (JSON.parse(text) as { data: { domains: Checked[] } }).data.domains
      failures.push(`${status}: ${text.slice(0, 200)}`)
      return []
    }

    const names = (kind: 'held' | 'free') =>
      Array.from({ length: NAMES_A_CALL }, () => `${kind}-for-sure-${next++}.org`)
    // Honest at first: the registry is believed when it begins to lie, and free names are seen to be called available.
    const honest = await check(ground.urls[0] ?? '', names('free'))
    const available = honest.filter((one) => one.available).length

    for (let round = 0; round < ROUNDS[stage.length]; round++) {
      for (const lie of [...LIES, 'certificate'] as const) {
        const name = typeof lie === 'object' ? String(lie.status) : lie
        // A node that has been lied to asks no more for a while, so each lie meets another.
        const node = await startNode()
        const pid = node.process.pid
        const [before, askedBefore] = [await memoryOf(pid), registries.pir.asked.length]
        if (lie === 'certificate') registries.pir.setCertificate('bad')
        else registries.pir.set('*', lie)
        const answers = await Promise.all(Array.from({ length: CALLS_AT_ONCE }, () => check(node.url, names('held'))))
        const believed = answers.flat().filter((one) => one.available)
        wrong.push(...believed.map(({ domain }) => `${domain} was called available by ${name}`))
        grown = Math.max(grown, (await memoryOf(pid)) - before)
        // Who breaks off in the handshake has asked nothing.
        if (lie !== 'certificate' && registries.pir.asked.length === askedBefore) unmet.push(name)
        registries.pir.set('*', undefined)
        if (lie === 'certificate') registries.pir.setCertificate('good')
        await node.stop('SIGKILL')
      }
    }
    return {
      bars: [
        safety('registered names called available', '0', `${wrong.length} of ${called}`, wrong.length === 0),
        safety('checks that failed', '0', failures.length, failures.length === 0),
        safety('free names called available by an honest registry', '≥ 1', available, available >= 1),
        timing('lies that nobody was told', '0', unmet.join(', ') || '0', unmet.length === 0),
        timing('memory that a node grew by', `≤ ${MEMORY_MB} MB`, `${Math.round(grown)} MB`, grown <= MEMORY_MB),
      ],
      figures: [`${called} names, ${registries.pir.asked.length} questions to the registry, ${LIES.length + 1} lies`],
      details: [...wrong.slice(0, 20), ...failures.slice(0, 10)],
    }
  },
}

async function memoryOf(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024
}
