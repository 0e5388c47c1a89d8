/**
 * The tables on a real terminal, wide and narrow, while results arrive and at the end. Golden files: golden/live-*.txt.
 *
 * Only one registrar, which the test controls, confirms that a domain is available; DNS reports taken domains at once.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../server/test/certificate.ts'
import { openRegistrarServer } from '../../server/test/internet/registrar-server.ts'
import type { RegistrarServer } from '../../server/test/internet/registrar-server.ts'
import { emptyRedis } from '../../server/test/redis.ts'
import { startApp } from '../../server/test/start-app.ts'
import type { Node, World } from '../../server/test/world.ts'
import { BIN, openFolder } from './harness.ts'

const run = promisify(execFile)
const REGISTRAR = 'api.vercel.com'
const POLL_MS = 50
const mark = randomBytes(3).toString('hex')
const PREMIUM = `free-for-sure-gem-${mark}.com`
const RESERVED = `free-for-sure-kept-${mark}.com`
const FREE = `free-for-sure-long-name-${mark}.com`

let closing: AsyncDisposableStack
let world: World
/** Two nodes, because a node whose registrar timed out keeps its circuit breaker open for a while. */
let healthy: Node
let waiting: Node
let registrar: RegistrarServer
let settings: Record<string, string>
beforeAll(async () => {
  closing = new AsyncDisposableStack()
  const certificate = closing.use(await makeCertificate([REGISTRAR]))
  const stranger = closing.use(await makeCertificate())
  const facts = {
    registered: new Set<string>(),
    premium: new Map([[PREMIUM, 250_000]]),
    reserved: new Set([RESERVED]),
    unsold: new Set<string>(),
  }
  registrar = closing.use(await openRegistrarServer({ world: facts, certificate, stranger }))
  world = closing.use(
    await startApp({
      own: true,
      settings: {
        ...(await emptyRedis()),
        NAMEWRIGHT_AVAILABILITY_MODE: 'strict',
        NAMEWRIGHT_REGISTRARS: 'vercel',
        NAMEWRIGHT_OUTBOUND_ROUTES: `${REGISTRAR}=127.0.0.1:${new URL(registrar.url).port}`,
        NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
      },
    }),
  )
  healthy = await world.startNode()
  waiting = await world.startNode()
  const { secret } = await world.makeKey(await world.makeAccount())
  const folder = closing.use(openFolder())
  settings = { NAMEWRIGHT_API_KEY: secret, XDG_CONFIG_HOME: folder.path, HOME: folder.path }
})
afterAll(() => closing.disposeAsync())

const WIDTHS = [120, 60] as const

describe.each(WIDTHS)('on a terminal of %i columns', (columns) => {
  const open = (node: Node, args: readonly string[], rows = 20): Promise<Terminal> =>
    openTerminal(args, { columns, rows, env: { ...settings, NAMEWRIGHT_URL: node.url } })
  const DOMAINS = ['taken-for-sure.com', FREE, PREMIUM, RESERVED, 'not a.domain', `free-for-sure-${mark}.cmo`]

  test('the table of a check appears at once, and fills as results arrive', { timeout: 120_000 }, async () => {
    registrar.be('silent')
    await using terminal = await open(waiting, [
      'check',
      ...DOMAINS,
      '--deadline',
      '10',
      '--timeout',
      '60',
      '--verify',
      'full',
    ])
    const early = await terminal.until(/● taken[^]*not a\.domain +\?[^]*3 of 6/)
    await expect(same(early)).toMatchFileSnapshot(`golden/live-check-waiting-${columns}.txt`)
    const late = await terminal.until(/\[exit \d+\]/)
    await expect(same(late)).toMatchFileSnapshot(`golden/live-check-late-${columns}.txt`)
  })

  test('a check shows each verdict with a symbol and a word', { timeout: 120_000 }, async () => {
    registrar.be('well')
    await using terminal = await open(healthy, [
      'check',
      ...DOMAINS,
      '--deadline',
      '25',
      '--timeout',
      '60',
      '--verify',
      'full',
    ])
    const known = await terminal.until(/\[exit \d+\]/)
    await expect(same(known)).toMatchFileSnapshot(`golden/live-check-known-${columns}.txt`)
  })

  test('suggestions fill a grid that fits', { timeout: 120_000 }, async () => {
    registrar.be('well')
    const ask = ['suggest', 'a chess club for beginners', '--count', '5', '--tlds', 'com,net,io,org,co', '--seed', '3']
    await using terminal = await open(healthy, [...ask, '--deadline', '25', '--timeout', '60'])
    const shown = await terminal.until(/\[exit \d+\]/)
    await expect(same(shown)).toMatchFileSnapshot(`golden/live-suggest-${columns}.txt`)
  })

  test('suggestions appear before their availability is known', { timeout: 120_000 }, async () => {
    registrar.be('silent')
    const ask = ['suggest', 'a chess club for beginners', '--count', '5', '--tlds', 'com', '--verify', 'full']
    await using terminal = await open(waiting, [...ask, '--deadline', '25', '--timeout', '60'])
    const early = await terminal.until(/^name +\.com[^]*\? unknown[^]*\d of 5 …/)
    expect(early).not.toContain('[exit')
    await terminal.press('C-c')
    expect(await terminal.until(/\[exit \d+\]/)).toMatch(/^\^?C?namewright: stopped\n\[exit 130\]$/)
  })

  test('letters of every width are aligned', { timeout: 120_000 }, async () => {
    const { secret } = await world.makeKey(await world.makeAccount())
    const tags = { com: '喫茶店', net: 'cafe\u0301', io: 'ميناء', org: '한국어', dev: '🚀🚀', app: 'plain' }
    for (const [suffix, tag] of Object.entries(tags)) {
      const body = { domain: `taken-for-sure.${suffix}`, tags: [tag], note: `under ${suffix}` }
      expect((await healthy.call('/v1/favorites', { key: secret, body })).status).toBe(201)
    }
    const env = { ...settings, NAMEWRIGHT_URL: healthy.url, NAMEWRIGHT_API_KEY: secret }
    await using terminal = await openTerminal(['favorites'], { columns, env })
    const shown = await terminal.until(/\[exit \d+\]/)
    await expect(same(shown)).toMatchFileSnapshot(`golden/live-widths-${columns}.txt`)
  })

  test('a table that is higher than the screen is complete at the end', { timeout: 120_000 }, async () => {
    registrar.be('well')
    const domains = Array.from({ length: 30 }, (_, i) => `taken-for-sure.${['com', 'net', 'org'][i % 3]}`)
    await using terminal = await open(healthy, ['check', ...domains, '--deadline', '25', '--timeout', '60'], 12)
    const shown = await terminal.until(/\[exit \d+\]/)
    // The last lines of the table are the last of the list, without remains of the live area.
    const lines = shown.split('\n').filter((line) => line !== '')
    expect(lines.slice(-10, -1).every((line) => /^taken-for-sure\.(?:com|net|org) +● taken/.test(line))).toBe(true)
  })
})

function same(text: string): string {
  // A long line continues on the next one, perhaps within the mark.
  const wrapped = new RegExp(Array.from(mark).join(String.raw`\n?`), 'g')
  const masked = text.replaceAll(wrapped, (found) => found.replaceAll(/\w/g, 'x'))
  return `${masked.replaceAll(mark.slice(-4), 'xxxx')}\n`
}

interface Terminal extends AsyncDisposable {
  /** Waits until the screen matches, and returns it without empty lines at the end. */
  until(sign: RegExp): Promise<string>
  /** Presses keys, by their tmux names. */
  press(...keys: readonly string[]): Promise<void>
}

interface TerminalOptions {
  readonly columns: number
  readonly rows?: number
  readonly env: Readonly<Record<string, string>>
}

/** A real terminal: tmux runs the command. When it has ended, the last line of the screen is `[exit CODE]`. */
async function openTerminal(args: readonly string[], { columns, rows = 20, env }: TerminalOptions): Promise<Terminal> {
  // A separate tmux server without user settings.
  const tmux = async (...words: readonly string[]) =>
    (
      await run('tmux', ['-u', '-L', name, '-f', '/dev/null', ...words], {
        env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
      })
    ).stdout
  const name = `namewright-${randomBytes(6).toString('hex')}`
  const set = Object.entries({ LC_ALL: 'C.UTF-8', ...env }).map(([key, value]) => `${key}=${quoted(value)}`)
  const command = [process.execPath, BIN, ...args].map(quoted).join(' ')
  const script = `env ${set.join(' ')} ${command}; echo "[exit $?]"; exec cat`
  await tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), script)
  const screen = async () => (await tmux('capture-pane', '-p')).trimEnd()
  return {
    async until(sign) {
      for (;;) {
        const shown = await screen()
        if (sign.test(shown)) return shown
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    },
    press: async (...keys) => void (await tmux('send-keys', ...keys)),
    [Symbol.asyncDispose]: async () => void (await tmux('kill-server')),
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
