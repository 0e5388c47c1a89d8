/**
 * What the command can say of 100 names under eight suffixes at its default deadline, in the simulated internet and with
 * nothing cached: the share of domains without a definite verdict, with and without the registrar. A wrong verdict ends it.
 *
 * Everything answers at once there, so the limits of the registries decide, and not the distance to them.
 */
import { createHash } from 'node:crypto'
import { openNamesFrom } from '../packages/names/src/node.ts'
import { plainNameRequest } from '../packages/names/src/request.ts'
import type { Domain } from '../server/src/model/domain.ts'
import { askCommand } from '../server/test/nightly/truth/runners/command.ts'
import { worldOf } from '../server/test/nightly/truth/world/cells.ts'
import type { Name } from '../server/test/nightly/truth/world/cells.ts'
import { findWrong, HONEST, LIST_REFUSED, WITHOUT_REGISTRAR } from '../server/test/nightly/truth/world/networks.ts'
import type { Answer } from '../server/test/nightly/truth/world/networks.ts'
import { openTruthInternet } from '../server/test/nightly/truth/world/open-internet.ts'
import { descriptions } from './descriptions.ts'

const SUFFIXES = ['com', 'ai', 'net', 'io', 'org', 'co', 'de', 'dev']
const DESCRIPTIONS = 10
const NAMES_EACH = 10
// Besides com, net and org. Whether Vercel really sells ai and de: docs/decisions/0063-what-the-command-asks-by-default.md.
const SURELY_SOLD = ['io', 'co', 'dev']
// Of a hundred domains so many are in DNS, and so many registered without being there.
const DELEGATED = 25
const HELD = 1

const ROWS = [
  { what: 'all sources, registrar without .ai and .de', network: HONEST, alsoSold: SURELY_SOLD },
  { what: 'all sources, registrar with .ai', network: HONEST, alsoSold: [...SURELY_SOLD, 'ai'] },
  { what: 'all sources, registrar with .ai and .de', network: HONEST, alsoSold: [...SURELY_SOLD, 'ai', 'de'] },
  { what: 'all sources, list of suffixes refused', network: LIST_REFUSED, alsoSold: SURELY_SOLD },
  { what: '--sources rdap,dns', network: WITHOUT_REGISTRAR, alsoSold: SURELY_SOLD },
]

export async function benchCommandVerdicts(): Promise<void> {
  const names = makeNames()
  const domains = names.map(({ domain }) => domain)
  const shares = (['free', 'delegated', 'held'] as const).map(
    (kind) => `${percent(names.filter((name) => name.kind === kind).length, names.length)} % ${kind}`,
  )
  console.log(`${names.length} domains (${shares.join(', ')}), in percent:`)
  tell('', ['available', 'taken', 'unproven', 'unknown', 'not definite', 'seconds'])
  for (const { what, network, alsoSold } of ROWS) {
    await using internet = await openTruthInternet(worldOf(names, alsoSold))
    const { answers, tookMs } = await askCommand(internet.addresses, network, domains)
    const wrong = findWrong(network, names, answers)
    if (wrong.length > 0) throw new Error(wrong.join('\n'))
    const share = (is: (answer: Answer) => boolean) => percent(answers.filter(is).length, answers.length)
    const cells = ['available', 'taken', 'unproven', 'unknown'].map((status) => share((one) => one.status === status))
    const open = share(({ status }) => status === 'unproven' || status === 'unknown')
    tell(what, [...cells, open, (tookMs / 1000).toFixed(1)])
    for (const suffix of SUFFIXES) {
      const under = answers.filter(({ domain }) => domain.endsWith(`.${suffix}`))
      const unsure = under.filter(({ status }) => status === 'unproven' || status === 'unknown')
      if (unsure.length > 0) tell(`  .${suffix}`, ['', '', '', '', percent(unsure.length, under.length)])
    }
  }
}

/** As people get them: names of the engine. What is so of each follows from its letters alone. */
function makeNames(): readonly Name[] {
  const engine = openNamesFrom()
  const texts = descriptions()
  const labels = new Set<string>()
  for (let at = 0; at < DESCRIPTIONS; at++) {
    const text = texts[at * Math.floor(texts.length / DESCRIPTIONS)] ?? ''
    const wanted = labels.size + NAMES_EACH
    for (const { label } of engine.propose(plainNameRequest(text), 4 * NAMES_EACH))
      if (labels.size < wanted) labels.add(label)
  }
  return [...labels].flatMap((label) =>
    SUFFIXES.map((suffix): Name => {
      const domain = `${label}.${suffix}` as Domain
      const at = createHash('sha256').update(domain).digest().readUInt32BE(0) % 100
      return { domain, kind: at < DELEGATED ? 'delegated' : at < DELEGATED + HELD ? 'held' : 'free' }
    }),
  )
}

function percent(some: number, all: number): string {
  return ((100 * some) / all).toFixed(1)
}

function tell(what: string, cells: readonly string[]): void {
  console.log(`${what.padEnd(44)}${cells.map((cell) => cell.padStart(13)).join('')}`.trimEnd())
}

if (import.meta.main) await benchCommandVerdicts()
