/** `namewright prove`: checks domains of known state, and tells how many verdicts were right. */
import { randomUUID } from 'node:crypto'
import type { CheckedDomain } from '../../../sdk/src/api-types.ts'
import { jsonText } from '../clean.ts'
import { EXIT } from '../exit.ts'
import { linesText } from '../output.ts'
import { makeFreeDomains, proofLines, prove, readKnownDomains } from '../prove.ts'
import { openAnySession } from '../session.ts'
import type { Invocation } from '../spec.ts'
import { isNotLookedUp, NO_NETWORK } from '../verdict.ts'

// Sixty domains under some thirty suffixes: the registries are slower than for one description.
const DEADLINE_MS = 30_000

export async function proveCommand(invocation: Invocation): Promise<number> {
  const { options, streams, outside, say } = invocation
  const seed = options.text('seed') ?? randomUUID()
  const known = [...readKnownDomains(), ...makeFreeDomains(seed, outside.now())]
  const { client } = await openAnySession(invocation)
  say(`Checking ${known.length} domains. The free ones are made of the seed ${seed}.`)
  const deadline = options.number('deadline')
  const body = {
    domains: known.map(({ domain }) => domain),
    verify: 'full' as const,
    deadline_ms: deadline === undefined ? DEADLINE_MS : Math.round(deadline * 1000),
  }
  const startedAt = outside.now()
  const checked: CheckedDomain[] = []
  for await (const event of client.checkStream(body, { signal: outside.signal }))
    if (event.event === 'done') checked.push(...event.data)
  const elapsedMs = outside.now() - startedAt
  if (checked.some(isNotLookedUp)) {
    say(NO_NETWORK)
    return EXIT.offline
  }
  const report = prove(known, new Map(checked.map((one) => [one.domain, one])), { elapsedMs, now: outside.now() })
  if (options.flag('json')) streams.stdout.write(`${jsonText({ seed, ...report }, 2)}\n`)
  else streams.stdout.write(linesText(proofLines(report)))
  if (report.mistakes.length > 0) return EXIT.none
  return report.right === 0 ? EXIT.upstream : EXIT.found
}
