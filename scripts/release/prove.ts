/**
 * The packed packages, installed into empty folders and run, as somebody has them who installs them from the registry.
 *
 *   client    `namewright --version`
 *   server    `namewright-server help`, `migrate` on a new database, a start that answers /healthz and generates, SIGTERM
 *   both      `namewright demo` gives names, and ends with Ctrl-C
 *
 * The client has no dependencies and is installed without a network; those of the server come from the npm registry. Needs
 * PostgreSQL and Redis as `scripts/services` brings them up. Each returns a line for each thing that was so.
 */
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../server/test/free-port.ts'
import { onServer, settingsFor } from '../image/smoke.ts'

const START_MS = 60_000

export async function proveClient(tarball: string, version: string): Promise<string[]> {
  return inFolder(async (folder) => {
    install(folder, '--offline', tarball)
    const said = execFileSync(`${folder}/node_modules/.bin/namewright`, ['--version'], { env: ENV, encoding: 'utf8' })
    if (said.trim() !== version) throw new Error(`namewright --version says ${said.trim()} instead of ${version}`)
    mustHave(`${folder}/node_modules/namewright`, ['LICENSE', 'README.md', 'dist/namewright-search.js'])
    return [`namewright --version: ${said.trim()}`]
  })
}

export async function proveServer(tarball: string): Promise<string[]> {
  return inFolder(async (folder) => {
    install(folder, '--prefer-offline', tarball)
    const home = `${folder}/node_modules/@namewright/server`
    const built = ['names.bin', 'namewright-search.js', 'web/index.html']
    mustHave(home, ['LICENSE', 'README.md', ...built.map((path) => `build/${path}`)])
    const program = `${folder}/node_modules/.bin/namewright-server`
    const name = `nw_package_${randomBytes(6).toString('hex')}`
    const port = String(await freePort())
    const env = { ...ENV, ...settingsFor(name, port), NAMEWRIGHT_DATA_DIR: `${folder}/data` }
    const run = (...args: string[]) => execFileSync(program, args, { cwd: folder, env, encoding: 'utf8' }).trim()
    const said = [`namewright-server help: ${run('help').split('\n')[0]}`]
    await onServer(`CREATE DATABASE ${name}`)
    try {
      run('migrate')
      const account = run('admin', 'create-account', '--name', 'package')
      const key = run('admin', 'create-key', '--account', account, '--name', 'package').split('\n')[1] ?? ''
      said.push('migrate, create-account, create-key')
      said.push(...(await serve(program, folder, env, `http://127.0.0.1:${port}`, key)))
      return said
    } finally {
      await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    }
  })
}

/** As `npx namewright demo` runs it where both packages are installed. */
export async function proveDemo(clientTarball: string, serverTarball: string): Promise<string[]> {
  return inFolder(async (folder) => {
    install(folder, '--prefer-offline', clientTarball, serverTarball)
    const env = { ...ENV, NAMEWRIGHT_PORT: String(await freePort()) }
    const demo = spawn(`${folder}/node_modules/.bin/namewright`, ['demo'], { cwd: folder, env, stdio: 'pipe' })
    const ended = once(demo, 'exit')
    let output = ''
    const greeted = new Promise<void>((resolve, reject) => {
      const read = (text: string) => {
        output += text
        if (output.includes('Ctrl-C stops the demo')) resolve()
      }
      demo.stdout.setEncoding('utf8').on('data', read)
      demo.stderr.setEncoding('utf8').on('data', read)
      void ended.then(() => reject(new Error(`the demo ended: ${output}`)))
    })
    try {
      await greeted
      const [url = ''] = /http:\/\/localhost:\d+/.exec(output) ?? []
      const [key = ''] = /nw_\w+/.exec(output) ?? []
      return [`namewright demo: ${await generate(url, key)}`]
    } finally {
      demo.kill('SIGINT')
      await ended
    }
  })
}

async function serve(program: string, cwd: string, env: Record<string, string>, url: string, key: string) {
  const server = spawn(program, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  server.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  server.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(server, 'exit')
  try {
    const deadline = performance.now() + START_MS
    for (;;) {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined)
      if (answer?.status === 200) break
      if (server.exitCode !== null || performance.now() > deadline) throw new Error(`it does not start: ${output}`)
      await sleep(100)
    }
    for (const path of ['/healthz', '/', '/docs', '/embed/namewright-search.js']) {
      const { status } = await fetch(`${url}${path}`)
      if (status !== 200) throw new Error(`${path} is answered ${status}`)
    }
    const names = await generate(url, key)
    server.kill('SIGTERM')
    const [code] = (await ended) as [number | null]
    if (code !== 0) throw new Error(`SIGTERM ends it with ${code}: ${output}`)
    return ['/healthz, the web app, the manual and the element answer', `generate: ${names}`, 'SIGTERM, exit 0']
  } finally {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGKILL')
      await ended
    }
  }
}

async function generate(url: string, key: string): Promise<string> {
  const answer = await fetch(`${url}/v1/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ description: 'a bakery that delivers by bicycle', count: 2 }),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`generate is answered ${answer.status}: ${text}`)
  const { data } = JSON.parse(text) as { data: { suggestions: { name: string }[] } }
  return data.suggestions.map((one) => one.name).join(', ')
}

// The machine's proxies and certificates are needed to reach the registry; settings of another node are not. Programs that
// ask for `node` get the pinned one; npm is the machine's.
const ENV: Record<string, string> = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NAMEWRIGHT_'))),
  PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  npm_config_update_notifier: 'false',
}

function install(folder: string, how: string, ...tarballs: readonly string[]): void {
  const args = ['install', how, '--no-audit', '--no-fund', '--loglevel=error', ...tarballs]
  execFileSync('npm', args, { cwd: folder, env: ENV, stdio: ['ignore', 'ignore', 'inherit'] })
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
