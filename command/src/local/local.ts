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
  return createLocalService(await openLocalEngines(invocation))
}

export async function openLocalEngines({ command, options, env, outside, say, onEnd }: Invocation): Promise<Engines> {
  const sources = sourcesOf(options.list('sources'))
  const model = options.text('model') ?? (env['NAMEWRIGHT_MODEL'] || undefined)
  const who = SOURCES.filter((one) => sources.includes(one)).map((one) => WHO[one])
  const told = model === undefined ? '' : ` The description goes to ${model}.`
  // The list of suffixes is in the package.
  if (command.name !== 'tlds')
    say(`No service: this command looks domains up itself. The names go to ${listText(who)}.${told}`)
  const engines = await openEngines({ env, now: outside.now, sources, model, say })
  onEnd(() => engines.close())
  return engines
}

function sourcesOf(names: readonly string[] = SOURCES): readonly Source[] {
  const chosen = SOURCES.filter((one) => names.includes(one))
  if (chosen.length === 0) throw usageError(`--sources takes ${SOURCES.join(', ')}.`)
  return chosen
}

function listText(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
