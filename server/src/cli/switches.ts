/** The operator's kill switches: lists which sources are off, and switches them off and on for all nodes. */
import { NAMESPACES } from '../engines/namespaces/all.ts'
import { REGISTRARS } from '../engines/availability/registrars/all.ts'
import type { StandardStreams } from './command-line.ts'
import type { Config } from '../platform/config/config.ts'
import { openDb } from '../platform/db/db.ts'
import type { Db } from '../platform/db/db.ts'
import { listSwitchedOff, switchOff, switchOn } from '../platform/switches/switches.ts'

/** Every source with a switch; the switch of a registrar or namespace has its name. */
export function switchesWith(registrars: readonly { readonly name: string }[]): readonly string[] {
  const named = [...NAMESPACES, ...registrars].map(({ name }) => name)
  return ['index', 'dns', 'rdap', ...named, 'language-model']
}

const SOURCES = switchesWith(REGISTRARS)

export const USAGE = `namewright-server switch list              list what is off, since when and why
namewright-server switch off SOURCE WHY…   all nodes stop using the source within three seconds
namewright-server switch on SOURCE         all nodes use the source again
Sources: ${SOURCES.join(' ')}`

export async function runSwitch(
  args: readonly string[],
  config: Config,
  { stdout, stderr }: StandardStreams,
): Promise<number> {
  const db = openDb({ url: config.database.url.reveal(), poolSize: 1 })
  try {
    const said = await run(args, db)
    if (said === undefined) stderr.write(`${USAGE}\n`)
    else stdout.write(`${said}\n`)
    return said === undefined ? 2 : 0
  } finally {
    await db.close()
  }
}

/** Undefined: invalid arguments. */
async function run([command = 'list', source, ...why]: readonly string[], db: Db): Promise<string | undefined> {
  if (command === 'list') {
    if (source !== undefined) return undefined
    const off = await listSwitchedOff(db)
    return off.length === 0
      ? 'nothing is off'
      : off.map((one) => `${one.source} since ${one.since.toISOString()}: ${one.reason}`).join('\n')
  }
  if (source === undefined || !SOURCES.includes(source)) return undefined
  if (command === 'off' && why.length > 0) {
    await switchOff(db, { source, reason: why.join(' '), since: new Date() })
    return `${source} is off`
  }
  if (command !== 'on') return undefined
  return (await switchOn(db, source)) ? `${source} is on again` : `${source} was on`
}
