/**
 * What is published, run as somebody has it who installed it: the packages from empty folders, and any program of the
 * service from an empty database to one answer. Needs PostgreSQL and Redis as `scripts/services` brings them up, and the
 * npm registry for the dependencies of the server. Each returns a line for each thing that was so.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../server/test/free-port.ts'
import { zoneText } from '../../server/test/internet/czds-zone.ts'
import { REDIS_URL } from '../../server/test/redis.ts'
import { ADMIN_URL } from '../../server/test/world.ts'

const START_MS = 60_000

/** By npm and by pnpm: they lay packages out differently. */
export async function proveCommand(tarball: string, version: string): Promise<string[]> {
  const proveBy = (manager: Manager) =>
    inFolder(async (folder) => {
      install(folder, '--offline', [tarball], manager)
      const say = (...args: string[]) =>
        execFileSync(`${folder}/node_modules/.bin/namewright`, args, { env: ENV, encoding: 'utf8' }).trim()
      const said = say('--version')
      if (said !== version) throw new Error(`namewright --version says ${said} instead of ${version}`)
      mustHave(`${folder}/node_modules/namewright`, [
        'LICENSE',
        'README.md',
        'dist/known-domains.jsonl',
        'dist/LICENSES.txt',
      ])
      const [first = ''] = say('tlds', '--local', '--limit', '1').split('\n')
      if (!first.startsWith('com')) throw new Error(`namewright tlds begins with ${first} instead of com`)
      return [`${manager}: namewright --version: ${said}; tlds: ${first.replaceAll('\t', ' ')}`]
    })
  return [...(await proveBy('npm')), ...(await proveBy('pnpm'))]
}

export async function proveClient(tarball: string): Promise<string[]> {
  const proveBy = (manager: Manager) =>
    inFolder(async (folder) => {
      install(folder, '--offline', [tarball], manager)
      mustHave(`${folder}/node_modules/@namewright/client`, ['LICENSE', 'README.md', 'dist/namewright-search.js'])
      const program = `
        import { createNamewright } from '@namewright/client'
        import { verifyWebhook } from '@namewright/client/verify-webhook'
        import '@namewright/client/element'
        console.log(typeof createNamewright({ baseUrl: 'http://localhost', apiKey: 'x' }).generate, typeof verifyWebhook)`
      const args = ['--input-type=module', '--eval', program]
      const said = execFileSync(process.execPath, args, { cwd: folder, env: ENV, encoding: 'utf8' }).trim()
      if (said !== 'function function') throw new Error(`@namewright/client has ${said}`)
      return [`${manager}: client, verify-webhook and element are imported`]
    })
  return [...(await proveBy('npm')), ...(await proveBy('pnpm'))]
}

export async function proveNames(tarball: string): Promise<string[]> {
  return inFolder(async (folder) => {
    install(folder, '--offline', [tarball])
    mustHave(`${folder}/node_modules/@namewright/names`, ['LICENSE', 'data/languages/de.txt'])
    const program = `
      import { plainNameRequest } from '@namewright/names'
      import { openNamesFrom } from '@namewright/names/node'
      const names = openNamesFrom().propose(plainNameRequest('a bakery that delivers by bicycle'), 3)
      console.log(names.map(({ name }) => name).join(', '))`
    const args = ['--input-type=module', '--eval', program]
    const said = execFileSync(process.execPath, args, { cwd: folder, env: ENV, encoding: 'utf8' }).trim()
    if (said.split(', ').length !== 3) throw new Error(`@namewright/names proposes ${said} instead of 3 names`)
    return [`propose: ${said}`]
  })
}

export async function proveIndex(tarball: string): Promise<string[]> {
  return inFolder(async (folder) => {
    install(folder, '--prefer-offline', [tarball])
    mustHave(`${folder}/node_modules/@namewright/zone-index`, ['LICENSE', 'README.md'])
    writeFileSync(`${folder}/com.zone`, zoneText('com', ['mayfly']))
    const program = `
      import { openZoneIndex } from '@namewright/zone-index'
      import { buildIndex } from '@namewright/zone-index/build'
      import '@namewright/zone-index/czds'
      import '@namewright/zone-index/inspect'
      await buildIndex({ zones: [{ suffix: 'com', path: 'com.zone' }], out: 'index', snapshotAt: Date.now() })
      const log = { info() {}, warn: console.log }
      const from = { directory: 'index' }
      const index = await openZoneIndex({ from, cacheDirectory: 'copy', now: Date.now, log })
      await index.refresh()
      console.log(['mayfly.com', 'free.com'].map((domain) => index.registeredMs(domain, Date.now()) !== undefined).join())
      await index.close()`
    const args = ['--input-type=module', '--eval', program]
    const said = execFileSync(process.execPath, args, { cwd: folder, env: ENV, encoding: 'utf8' }).trim()
    if (said !== 'true,false') throw new Error(`@namewright/zone-index finds ${said} instead of true,false`)
    return ['built from a zone, and read']
  })
}

export async function proveServer(namesTarball: string, indexTarball: string, tarball: string): Promise<string[]> {
  return inFolder(async (folder) => {
    install(folder, '--prefer-offline', [namesTarball, indexTarball, tarball])
    const built = ['namewright-search.js', 'web/index.html']
    mustHave(`${folder}/node_modules/@namewright/server`, [
      'LICENSE',
      'README.md',
      ...built.map((one) => `build/${one}`),
    ])
    return proveService((args, env) =>
      spawn(`${folder}/node_modules/.bin/namewright-server`, args, {
        cwd: folder,
        env: { ...ENV, NAMEWRIGHT_DATA_DIR: `${folder}/data-${args[0] ?? 'serve'}`, ...env },
        stdio: 'pipe',
      }),
    )
  })
}

/** As `npx namewright demo` runs it where all packages are installed. */
export async function proveDemo(...tarballs: readonly string[]): Promise<string[]> {
  return inFolder(async (folder) => {
    install(folder, '--prefer-offline', tarballs)
    const env = { ...ENV, NAMEWRIGHT_PORT: String(await freePort()) }
    const demo = spawn(`${folder}/node_modules/.bin/namewright`, ['demo'], { cwd: folder, env, stdio: 'pipe' })
    return [`namewright demo: ${(await askDemo(demo)).names}`]
  })
}

/** Takes the address and the key from what a demo prints, asks for names, and ends it as Ctrl-C does. */
export async function askDemo(child: ChildProcess): Promise<{ readonly names: string; readonly output: string }> {
  const demo = run(child)
  try {
    await until(demo, async () => demo.output().includes('Ctrl-C stops the demo'))
    const [url = ''] = /http:\/\/localhost:\d+/.exec(demo.output()) ?? []
    const [key = ''] = /nw_\w+/.exec(demo.output()) ?? []
    return { names: await generate(url, key), output: demo.output() }
  } finally {
    child.kill('SIGINT')
    await demo.ended
  }
}

/** Starts the program of the service with arguments and settings. */
export type Start = (args: readonly string[], env: Readonly<Record<string, string>>) => ChildProcess

/**
 * Empty database → migrate twice, an account, a key → serve, its pages, one generate → work, one batch → SIGTERM, exit 0.
 * `whileRunning` is called while both processes run.
 */
export async function proveService(start: Start, whileRunning = async () => {}): Promise<string[]> {
  const name = `nw_proof_${randomBytes(6).toString('hex')}`
  const port = String(await freePort())
  const workerPort = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  // It asks nobody about names: the program has to run, not the internet.
  const env = {
    NAMEWRIGHT_DATABASE_URL: ADMIN_URL.replace(/[^/]+$/, name),
    NAMEWRIGHT_REDIS_URL: REDIS_URL,
    NAMEWRIGHT_SECRET: randomBytes(32).toString('hex'),
    NAMEWRIGHT_HOST: '127.0.0.1',
    NAMEWRIGHT_PORT: port,
    NAMEWRIGHT_WORKER: 'apart',
    NAMEWRIGHT_WORKER_PORT: workerPort,
    NAMEWRIGHT_MIGRATE: 'manual',
    NAMEWRIGHT_DNS_RESOLVERS: '127.0.0.1:5320',
    NAMEWRIGHT_AVAILABILITY_MODE: 'balanced',
    NAMEWRIGHT_REGISTRARS: 'none',
    NAMEWRIGHT_RDAP: 'off',
    NAMEWRIGHT_NAMESPACES: 'off',
    NAMEWRIGHT_PRICE_REFRESH: 'off',
    NAMEWRIGHT_DRAIN_SECONDS: '0',
  }
  const command = async (...args: string[]) => {
    const { ended, output } = run(start(args, env))
    const code = await ended
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${output()}`)
    return output().trim().split('\n')
  }
  const answers200 = async (address: string) => (await fetch(address).catch(() => undefined))?.status === 200
  await onServer(`CREATE DATABASE ${name}`)
  const processes: Run[] = []
  const startProcess = async (args: readonly string[], ready: string) => {
    const startedAt = performance.now()
    const process = run(start(args, env))
    processes.push(process)
    await until(process, () => answers200(ready))
    return { ...process, seconds: ((performance.now() - startedAt) / 1000).toFixed(1) }
  }
  try {
    await command('migrate')
    const again = await command('migrate')
    if (again.at(-1) !== 'nothing to apply') throw new Error(`the second migrate says ${again.join(' ')}`)
    const [account = ''] = await command('admin', 'create-account', '--name', 'proof')
    const [, key = ''] = await command('admin', 'create-key', '--account', account, '--name', 'proof')
    const server = await startProcess([], `${url}/readyz`)
    for (const path of ['/healthz', '/', '/docs', '/embed/namewright-search.js']) {
      if (!(await answers200(`${url}${path}`))) throw new Error(`${path} is not answered 200`)
    }
    const names = await generate(url, key)
    const worker = await startProcess(['work'], `http://127.0.0.1:${workerPort}/readyz`)
    const batch = await runBatch(worker, url, key)
    await whileRunning()
    for (const { child, ended, output } of [worker, server]) {
      child.kill('SIGTERM')
      const code = await ended
      if (code !== 0) throw new Error(`SIGTERM ends it with ${code}: ${output()}`)
    }
    return [
      'migrate, migrate again, create-account, create-key',
      `ready after ${server.seconds} s, the worker after ${worker.seconds} s`,
      '/healthz, the web app, the manual and the element answer',
      `generate: ${names}`,
      `a batch by the worker: ${batch}`,
      'SIGTERM, exit 0 of the worker and of the server',
    ]
  } finally {
    for (const { child, ended } of processes) {
      child.kill('SIGKILL')
      await ended
    }
    await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
}

interface Run {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  readonly output: () => string
}

function run(child: ChildProcess): Run {
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, ended, output: () => output }
}

async function until({ child, output }: Run, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + START_MS
  while (!(await isSo())) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output()}`)
    if (performance.now() > deadline) throw new Error(`nothing after ${START_MS / 1000} s: ${output()}`)
    await sleep(100)
  }
}

const REQUEST = { description: 'a bakery that delivers by bicycle', count: 2, deadline_ms: 20_000 }

async function generate(url: string, key: string): Promise<string> {
  const { suggestions } = (await ask(url, key, '/v1/generate', REQUEST)) as { suggestions: { name: string }[] }
  if (suggestions.length !== 2) throw new Error(`generate gives ${suggestions.length} names instead of 2`)
  return suggestions.map((one) => one.name).join(', ')
}

/** The server that takes the batch runs no jobs: only the worker can complete it. */
async function runBatch(worker: Run, url: string, key: string): Promise<string> {
  const requests = [REQUEST, { ...REQUEST, description: 'a workshop that repairs cameras' }]
  let { batch } = (await ask(url, key, '/v1/batches', { requests })) as { batch: Batch }
  await until(worker, async () => {
    batch = ((await ask(url, key, `/v1/batches/${batch.id}`)) as { batch: Batch }).batch
    return batch.state !== 'running'
  })
  const { state, succeeded, total } = batch
  if (state !== 'completed' || succeeded !== 2) throw new Error(`the batch is ${JSON.stringify(batch)}`)
  return `${succeeded} of ${total} requests succeeded`
}

interface Batch {
  readonly id: string
  readonly state: string
  readonly total: number
  readonly succeeded: number
}

async function ask(url: string, key: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} is answered ${answer.status}: ${text}`)
  return (JSON.parse(text) as { data: unknown }).data
}

async function onServer(statement: string): Promise<void> {
  const server = new pg.Client(ADMIN_URL)
  await server.connect()
  await server.query(statement)
  await server.end()
}

// The machine's proxies and certificates are needed to reach the registry; settings of another node are not. Programs that
// ask for `node` get the pinned one; npm is the machine's.
const ENV: Record<string, string> = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NAMEWRIGHT_'))),
  PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  npm_config_update_notifier: 'false',
}

type Manager = 'npm' | 'pnpm'

function install(folder: string, how: string, tarballs: readonly string[], manager: Manager = 'npm'): void {
  const quiet = { npm: ['install', '--no-audit', '--no-fund'], pnpm: ['add', '--reporter=silent'] }
  const args = [...quiet[manager], how, '--loglevel=error', ...tarballs]
  execFileSync(manager, args, { cwd: folder, env: ENV, stdio: ['ignore', 'ignore', 'inherit'] })
}

function mustHave(home: string, paths: readonly string[]): void {
  const { name } = JSON.parse(readFileSync(`${home}/package.json`, 'utf8')) as { name: string }
  const missing = paths.filter((path) => !existsSync(`${home}/${path}`))
  if (missing.length > 0) throw new Error(`${name} has no ${missing.join(', ')}`)
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(`${tmpdir()}/namewright-installed-`)
  writeFileSync(`${folder}/package.json`, '{"private":true}')
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
