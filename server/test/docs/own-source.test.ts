/** docs/guides/a-source-of-your-own.md: both of its programs run as they stand there, and a real node sells by them. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeWebhookSecret, ownSource, signedHeaders } from '../source.ts'
import { freePort } from '../free-port.ts'
import { runCommand } from '../run-command.ts'
import { startApp } from '../start-app.ts'
import type { World } from '../world.ts'
import { blocksOf, readPage } from './pages.ts'

const page = readPage('docs/guides/a-source-of-your-own.md')
const secret = makeWebhookSecret()
const PROGRAMS = [
  { language: 'js', file: 'source.mjs', commandOf: (file: string) => [process.execPath, file] },
  { language: 'php', file: 'source.php', commandOf: (file: string, at: string) => ['php', '-S', at, file] },
]

let world: World
let key: string
let folder: string
beforeAll(async () => {
  world = await startApp({ own: true })
  key = (await world.makeKey(await world.makeAccount())).secret
  folder = await mkdtemp(join(tmpdir(), 'nw-own-source-'))
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** A program of the page, once it listens. */
async function openProgram({ language, file, commandOf }: (typeof PROGRAMS)[number]) {
  const [code = ''] = blocksOf(page, language)
  const path = join(folder, file)
  await writeFile(path, code)
  const port = await freePort()
  const [command = '', ...args] = commandOf(path, `127.0.0.1:${port}`)
  const env = { PATH: process.env.PATH ?? '', NAMEWRIGHT_SOURCE_SECRET: secret, PORT: String(port) }
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += String(text)))
  child.on('error', (error) => (output += error.message))
  const url = `http://127.0.0.1:${port}/`
  const isOpen = () =>
    fetch(url, { method: 'POST', body: '' }).then(
      ({ status }) => status,
      () => output,
    )
  await expect.poll(isOpen, { timeout: 30_000 }).toBe(401)
  return { url, output: () => output, [Symbol.dispose]: () => void child.kill() }
}

async function statusOf(url: string, headers: Record<string, string>, body: string): Promise<number> {
  return (await fetch(url, { method: 'POST', headers, body })).status
}

test.for(PROGRAMS)('the program in $language answers what we sign, and nothing else', async (program) => {
  using source = await openProgram(program)
  const body = JSON.stringify({ domains: ['free-for-sure-1.com'] })
  const timestamp = Math.floor(Date.now() / 1000)
  const signed = { id: 'one', timestamp, body }
  const headers = signedHeaders([secret], signed)
  expect(await statusOf(source.url, headers, body)).toBe(200)
  expect(await statusOf(source.url, signedHeaders([makeWebhookSecret(), secret], signed), body)).toBe(200)
  expect(await statusOf(source.url, signedHeaders([makeWebhookSecret()], signed), body)).toBe(401)
  expect(await statusOf(source.url, headers, `${body} `)).toBe(401)
  expect(await statusOf(source.url, { ...headers, 'webhook-id': 'two' }, body)).toBe(401)
  expect(await statusOf(source.url, {}, body)).toBe(401)
  const old = signedHeaders([secret], { ...signed, timestamp: timestamp - 301 })
  expect(await statusOf(source.url, old, body)).toBe(401)
})

test.for(PROGRAMS)('a node sells what the program in $language says, until it is switched off', async (program) => {
  using source = await openProgram(program)
  const settings = {
    NAMEWRIGHT_AVAILABILITY_MODE: 'strict',
    NAMEWRIGHT_REGISTRARS: 'own-source',
    NAMEWRIGHT_SOURCE_URL: source.url,
    NAMEWRIGHT_SOURCE_SECRET: secret,
  }
  const node = await world.startNode(settings)
  const check = async (domains: readonly string[]) => {
    const body = { domains, verify: 'full', deadline_ms: 10_000 }
    const { json } = await node.call('/v1/domains/check', { key, body })
    return json.data.domains as { available: boolean; status: string; price: string; sources: string[] }[]
  }
  await expect
    .poll(async () => (await node.call('/v1/status', { key })).json.data.sources, { timeout: 30_000 })
    .toContainEqual({ source: 'own-source', state: 'trusted', since: expect.any(String), why: null })
  // All of them are absent from DNS, so that only the program can tell them apart.
  const domains = ['free-for-sure-1.com', 'q-7.com', 'sold-already.com', 'free-for-sure-1.io']
  expect(await check(domains), source.output()).toMatchObject([
    { available: true, status: 'available', price: '$12.99', pricing: { renewal_minor: 1499, kind: 'quote' } },
    { available: true, status: 'premium', price: '$2500.00', pricing: { renewal_minor: 1499, kind: 'quote' } },
    { available: false, status: 'taken', sources: ['own-source'] },
    { available: false, status: 'restricted' },
  ])
  const switched = (...args: string[]) => runCommand(['switch', ...args], world.env)
  expect(await switched('off', 'own-source', 'a test')).toMatchObject({ code: 0 })
  await expect
    .poll(async () => (await check(domains)).filter(({ available }) => available), { timeout: 30_000 })
    .toEqual([])
  expect(await switched('on', 'own-source')).toMatchObject({ code: 0 })
  await node.stop()
})

test('the page names the settings, and how many domains a request has', () => {
  for (const setting of Object.keys(ownSource.settings)) expect(page).toContain(`${setting}=`)
  expect(page).toContain(`1 to ${ownSource.batch} domains`)
  for (const { language } of PROGRAMS) {
    const [code = ''] = blocksOf(page, language)
    expect(code.split('\n').length, language).toBeLessThanOrEqual(45)
  }
})
