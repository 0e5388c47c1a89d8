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

export async function proveServer(namesTarball: string, tarball: string): Promise<string[]> {
  return inFolder(async (folder) => {
    install(folder, '--prefer-offline', [namesTarball, tarball])
    const built = ['namewright-search.js', 'web/index.html']
    mustHave(`${folder}/node_modules/@namewright/server`, [
      'LICENSE',
      'README.md',
      ...built.map((one) => `build/${one}`),
    ])
    return proveService((args, env) =>
      spawn(`${folder}/node_modules/.bin/namewright-server`, args, {
        cwd: folder,
        env: { ...ENV, NAMEWRIGHT_DATA_DIR: `${folder}/data`, ...env },
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
    const demo = run(spawn(`${folder}/node_modules/.bin/namewright`, ['demo'], { cwd: folder, env, stdio: 'pipe' }))
    try {
      await until(demo, async () => demo.output().includes('Ctrl-C stops the demo'))
      const [url = ''] = /http:\/\/localhost:\d+/.exec(demo.output()) ?? []
      const [key = ''] = /nw_\w+/.exec(demo.output()) ?? []
      return [`namewright demo: ${await generate(url, key)}`]
    } finally {
      demo.child.kill('SIGINT')
      await demo.ended
    }
  })
}

/** Starts the program of the service with arguments and settings. */
export type Start = (args: readonly string[], env: Readonly<Record<string, string>>) => ChildProcess

/** Empty database → migrate, an account, a key → serve, its pages, one generate → SIGTERM, exit 0. */
export async function proveService(start: Start, whileServing = async (_port: string) => {}): Promise<string[]> {
  const name = `nw_proof_${randomBytes(6).toString('hex')}`
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  // It asks nobody about names: the program has to run, not the internet.
  const env = {
    NAMEWRIGHT_DATABASE_URL: ADMIN_URL.replace(/[^/]+$/, name),
    NAMEWRIGHT_REDIS_URL: REDIS_URL,
    NAMEWRIGHT_SECRET: randomBytes(32).toString('hex'),
    NAMEWRIGHT_HOST: '127.0.0.1',
    NAMEWRIGHT_PORT: port,
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
  await onServer(`CREATE DATABASE ${name}`)
  try {
    await command('migrate')
    const [account = ''] = await command('admin', 'create-account', '--name', 'proof')
    const [, key = ''] = await command('admin', 'create-key', '--account', account, '--name', 'proof')
    const server = run(start([], env))
    try {
      await until(server, async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200)
      for (const path of ['/healthz', '/', '/docs', '/embed/namewright-search.js']) {
        const { status } = await fetch(`${url}${path}`)
        if (status !== 200) throw new Error(`${path} is answered ${status}`)
      }
      await whileServing(port)
      const names = await generate(url, key)
      server.child.kill('SIGTERM')
      const code = await server.ended
      if (code !== 0) throw new Error(`SIGTERM ends it with ${code}: ${server.output()}`)
      return [
        'migrate, create-account, create-key',
        '/healthz, the web app, the manual and the element answer',
        `generate: ${names}`,
        'SIGTERM, exit 0',
      ]
    } finally {
      server.child.kill('SIGKILL')
      await server.ended
    }
  } finally {
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
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`it does not start: ${output()}`)
    await sleep(100)
  }
}

async function generate(url: string, key: string): Promise<string> {
  const answer = await fetch(`${url}/v1/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ description: 'a bakery that delivers by bicycle', count: 2, deadline_ms: 20_000 }),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`generate is answered ${answer.status}: ${text}`)
  const { data } = JSON.parse(text) as { data: { suggestions: { name: string }[] } }
  if (data.suggestions.length !== 2) throw new Error(`generate gives ${data.suggestions.length} names instead of 2`)
  return data.suggestions.map((one) => one.name).join(', ')
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
