/**
 * `namewright-server demo`: the whole service on one machine in one command, with the sandbox registry.
 *
 *   PostgreSQL, found or started → settings → (main.ts serves) → a person, their account, a key → what to try
 *
 * Everything it creates is removed when it is closed: the database, and the processes it started. It must never read
 * a setting of a real service, so that no real source can be used.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Machine } from '../platform/config/machine.ts'
import { openDemoDatabase } from './demo/database.ts'
import type { OwnPostgresOptions } from './demo/own-postgres.ts'
import type { Keys } from '../features/keys/index.ts'
import { SCOPES, type AccountId } from '../model/caller.ts'
import type { UserId } from '../model/member.ts'
import type { NewPerson } from '../features/sign-in/index.ts'

export { DemoError } from './demo/own-postgres.ts'

interface DemoContext {
  readonly keys: Pick<Keys, 'create'>
  readonly publicUrl: string
}

interface DemoOptions extends Omit<OwnPostgresOptions, 'environment'> {
  readonly machine: Machine
  readonly port: number
  /** How to run the `namewright` command here. */
  readonly command: string
  readonly say: (text: string) => void
}

export interface Demo extends AsyncDisposable {
  /** Settings for the service. */
  readonly env: Readonly<Record<string, string>>
  /**
   * Called once the service listens. `setUp` creates the first person, who owns an account with the person's own id.
   */
  greet(ctx: DemoContext, setUp: (person: NewPerson) => Promise<UserId>): Promise<void>
}

const EMAIL = 'demo@namewright.example'
const QUOTA = { perMinute: 600, burst: 60, perDay: null, perMonth: null }
const WORDS = 'a bakery that delivers by bicycle'

export async function openDemo({ machine, port, command, say, ...waiting }: DemoOptions): Promise<Demo> {
  const database = await openDemoDatabase(machine, waiting)
  return {
    env: {
      NAMEWRIGHT_SANDBOX: 'on',
      NAMEWRIGHT_DATABASE_URL: database.url,
      NAMEWRIGHT_OWNER_DATABASE_URL: database.ownerUrl,
      NAMEWRIGHT_SECRET: randomBytes(32).toString('hex'),
      NAMEWRIGHT_PORT: String(port),
      NAMEWRIGHT_DRAIN_SECONDS: '0',
      NAMEWRIGHT_LOG_LEVEL: 'error',
    },
    async greet(ctx, setUp) {
      const password = randomBytes(12).toString('base64url')
      const userId = await setUp({ name: 'Demo', email: EMAIL, password, language: 'en' })
      const spec = { name: 'demo', scopes: SCOPES, quota: QUOTA, allowedIps: [] }
      const { secret: key } = await ctx.keys.create(userId as string as AccountId, spec)
      say(welcomeOf({ url: ctx.publicUrl, password, key, command }))
      openBrowser(ctx.publicUrl, machine.hasDisplay)
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

function welcomeOf({ url, password, key, command }: Record<'url' | 'password' | 'key' | 'command', string>): string {
  const ask = `-H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"description": "${WORDS}", "count": 5}'`
  return `
Namewright runs at ${url}
Sandbox: these domains and prices are made up.

  sign in    ${EMAIL}
  password   ${password}
  API key    ${key}

Try, in another terminal:

  curl ${url}/v1/generate ${ask}

  curl -N ${url}/v1/generate -H 'Accept: text/event-stream' ${ask}

  NAMEWRIGHT_URL=${url} NAMEWRIGHT_API_KEY=${key} ${command} suggest "${WORDS}"

Ctrl-C stops the demo and deletes everything it created.`
}

/** In the person's browser, if there is one; nothing depends on it. */
function openBrowser(url: string, hasDisplay: boolean): void {
  const command = process.platform === 'darwin' ? 'open' : hasDisplay ? 'xdg-open' : undefined
  if (command === undefined) return
  spawn(command, [url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
