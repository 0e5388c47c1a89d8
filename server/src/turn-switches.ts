/** The operator's kill switches: which sources are off, and turning them off and on, for all nodes. */
import type { Config } from './config/config.ts'
import { openDb } from './db/db.ts'
import type { Db } from './db/db.ts'
import { isSwitchable, listSwitchedOff, SWITCHABLE, switchOff, switchOn } from './switches/switches.ts'

const USAGE = `namewright-server switch list              what is off, since when and why
namewright-server switch off SOURCE WHY…   no node asks it any more, within three seconds
namewright-server switch on SOURCE         it is asked again
Sources: ${SWITCHABLE.join(' ')}`

interface Streams {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}

export async function runSwitch(args: readonly string[], config: Config, { stdout, stderr }: Streams): Promise<number> {
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

/** Undefined: not understood. */
async function run([command = 'list', source, ...why]: readonly string[], db: Db): Promise<string | undefined> {
  if (command === 'list') {
    const off = await listSwitchedOff(db)
    return off.length === 0
      ? 'nothing is off'
      : off.map((one) => `${one.source} since ${one.since.toISOString()}: ${one.reason}`).join('\n')
  }
  if (source === undefined || !isSwitchable(source)) return undefined
  if (command === 'off' && why.length > 0) {
    await switchOff(db, { source, reason: why.join(' '), since: new Date() })
    return `${source} is off`
  }
  if (command !== 'on') return undefined
  return (await switchOn(db, source)) ? `${source} is on again` : `${source} was on`
}
