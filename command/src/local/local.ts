/** Opens the engines for one invocation of the command, and says first that no service is asked and who gets the names. */
import type { Fetch } from '../../../sdk/src/exchange.ts'
import { usageError } from '../exit.ts'
import type { Invocation } from '../spec.ts'
import { openEngines, SOURCES } from './engines.ts'
import type { Engines, Source } from './engines.ts'
import { createLocalService } from './service.ts'

const WHO: Readonly<Record<Source, string>> = {
  registrar: 'the registrar Vercel',
  rdap: 'registries',
  dns: 'your DNS resolver',
}

export async function openLocal(invocation: Invocation): Promise<Fetch> {
  const seconds = invocation.options.number('timeout')
  const timeoutMs = seconds === undefined ? undefined : Math.round(seconds * 1_000)
  return createLocalService(await openLocalEngines(invocation), timeoutMs)
}

export async function openLocalEngines(invocation: Invocation): Promise<Engines> {
  const { options, env, outside, say, onEnd } = invocation
  const sources = sourcesOf(options.list('sources'))
  const model = options.text('model') ?? (env['NAMEWRIGHT_MODEL'] || undefined)
  // The list of suffixes is in the package.
  if (invocation.command.name !== 'tlds') say(noticeOf(invocation, sources, model))
  const notes: string[] = []
  // A line in between would tear the table that fills on a terminal.
  const note = invocation.command.name === 'mcp' ? say : (line: string) => void notes.push(line)
  const engines = await openEngines({ env, now: outside.now, sources, model, say: note })
  onEnd(async () => {
    for (const line of notes) say(line)
    if (sources.includes('dns') && isWithoutDns(engines)) say(NO_DNS)
    await engines.close()
  })
  return engines
}

const NO_DNS = 'No DNS resolver answers, so some verdicts are missing; NAMEWRIGHT_DNS_RESOLVERS names another one.'

function isWithoutDns(engines: Engines): boolean {
  const troubles = engines.sourceHealth.troubles(engines.config.suffixes)
  return troubles.some(({ source, state }) => source === 'dns' && state === 'unreachable') && !engines.isKnownOffline()
}

/** Who gets to see the names, and the description. */
function noticeOf({ command, options }: Invocation, sources: readonly Source[], model: string | undefined): string {
  const parts = options.list('include') ?? ['packages', 'code']
  const isElsewhere = command.name === 'name' ? parts.some((one) => one !== 'links') : options.flag('handles')
  const who = SOURCES.filter((one) => sources.includes(one)).map((one) => WHO[one])
  const all = listText([...who, ...(isElsewhere ? ['package registries', 'code hosts'] : [])])
  return [
    `No service: this command looks domains up itself. The names go to ${all}`,
    ...(command.name === 'mcp' ? [', and to package registries and code hosts if the agent asks for them'] : []),
    '.',
    ...(model === undefined ? [] : [` The description goes to ${model}.`]),
  ].join('')
}

function sourcesOf(names: readonly string[] = SOURCES): readonly Source[] {
  const chosen = SOURCES.filter((one) => names.includes(one))
  if (chosen.length === 0) throw usageError(`--sources takes ${SOURCES.join(', ')}.`)
  return chosen
}

function listText(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
