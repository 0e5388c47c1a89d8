/** compose.yaml: what it promises, read from it; and a rehearsal of its first start with programs of this machine. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { SETTINGS } from '../../server/test/read-config.ts'
import { freePort } from '../../server/test/free-port.ts'
import { openOwnPostgres } from '../../server/test/own-postgres.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const text = readFileSync(`${ROOT}compose.yaml`, 'utf8')

interface Service {
  readonly image: string
  readonly entrypoint?: readonly string[]
  readonly command?: readonly string[]
  readonly user?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly env_file?: readonly { readonly path: string }[]
  readonly healthcheck: { readonly test?: readonly string[]; readonly disable?: boolean }
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly volumes?: readonly string[]
  readonly networks?: readonly string[]
  readonly ports?: readonly string[]
  readonly [key: string]: unknown
}

const compose = parse(text, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>
  readonly volumes: Readonly<Record<string, object>>
}
const services = Object.entries(compose.services).map(([name, service]): Service & { name: string } => ({
  ...service,
  name,
}))

describe('compose.yaml', () => {
  test.for(services)('confines $name: read-only, no capabilities, no new privileges', (service) => {
    expect(service['read_only']).toBe(true)
    expect(service['cap_drop']).toEqual(['ALL'])
    expect(service['security_opt']).toEqual(['no-new-privileges:true'])
    expect(service['privileged']).toBeUndefined()
    expect(service['cap_add'] ?? []).toEqual(service.name === 'caddy' ? ['NET_BIND_SERVICE'] : [])
  })

  test.for(services)('looks after the health of $name, unless it has a reason not to', ({ name, healthcheck }) => {
    if (healthcheck.disable === true) expect(['secrets', 'model-pull']).toContain(name)
    // No shell: it is not needed.
    else expect(healthcheck.test?.[0]).toBe('CMD')
  })

  test('reads a file of its own, whose example has no setting that is made at the first start', () => {
    const files = services.flatMap(({ env_file = [] }) => env_file.map(({ path }) => path))
    expect([...new Set(files)]).toEqual(['compose.env'])
    const example = readFileSync(`${ROOT}deploy/compose/example.env`, 'utf8').replaceAll(/^#(?=[A-Z_]+=)/gm, '')
    const names = Object.keys(parseEnv(example))
    expect(names).toContain('SITE')
    for (const name of names.filter((one) => one.startsWith('NAMEWRIGHT_'))) expect(SETTINGS).toHaveProperty(name)
    expect(names.filter((name) => /DATABASE|REDIS|_SECRET/.test(name))).toEqual([])
  })

  test('has no secret in it, neither as a default nor otherwise', () => {
    expect(text).not.toMatch(/PASSWORD: |\$\{\w*(?:PASSWORD|SECRET|KEY)|change-me/)
    for (const { environment = {} } of services) {
      for (const [name, value] of Object.entries(environment)) {
        const { secret } = (SETTINGS as Record<string, { secret?: true }>)[name] ?? {}
        expect(secret, name).toBeUndefined()
        expect(value).not.toMatch(/:[^/@\s]+@/)
      }
    }
  })

  test('declares every volume and network that is used, and uses every one that is declared', () => {
    const volumes = services.flatMap((one) => one.volumes ?? []).map((line) => line.split(':')[0] ?? '')
    const named = volumes.filter((name) => !name.startsWith('./'))
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(compose.volumes).toSorted())
    const networks = services.flatMap((one) => one.networks ?? [])
    expect([...new Set(networks)].toSorted()).toEqual(Object.keys(compose.networks).toSorted())
  })

  test('mounts only files that are there, and those read-only', async () => {
    const files = services.flatMap((one) => one.volumes ?? []).filter((line) => line.startsWith('./'))
    expect(files).toHaveLength(2)
    for (const line of files) {
      await stat(`${ROOT}${line.split(':')[0]}`)
      expect(line).toMatch(/:ro$/)
    }
  })

  test('waits for what can be waited for', () => {
    for (const { depends_on: waits = {} } of services) {
      for (const [name, { condition }] of Object.entries(waits)) {
        const other = compose.services[name]
        if (condition === 'service_healthy') expect(other?.healthcheck.test, name).toBeDefined()
        else expect([condition, other?.['restart']]).toEqual(['service_completed_successfully', 'no'])
      }
    }
  })

  test('lets only Caddy be reached, keeps the stores off every way out, and believes nobody but Caddy', () => {
    expect(services.filter(({ ports }) => ports !== undefined).map(({ name }) => name)).toEqual(['caddy'])
    for (const name of ['postgres', 'valkey']) {
      expect(compose.services[name]?.networks?.every((one) => compose.networks[one]?.internal)).toBe(true)
    }
    const shared = compose.services['caddy']?.networks?.filter((one) =>
      compose.services['server']?.networks?.includes(one),
    )
    expect(shared).toEqual(['edge'])
    expect(services.filter(({ networks }) => networks?.includes('edge')).map(({ name }) => name)).toEqual([
      'server',
      'caddy',
    ])
    const subnet = /subnet: '(.*?)' \}/.exec(text)?.[1]
    expect(compose.services['server']?.environment?.['NAMEWRIGHT_TRUSTED_PROXIES']).toBe(subnet)
  })

  test('gives each secret to one service, and the owner of the tables to the server only', () => {
    for (const volume of Object.keys(compose.volumes).filter((name) => name.endsWith('-secrets'))) {
      const readers = services.filter(({ volumes = [] }) => volumes.some((line) => line.startsWith(`${volume}:`)))
      expect(readers.map(({ name }) => name)).toEqual(['secrets', volume.replace('-secrets', '')])
      const [, reader] = readers
      expect(reader?.volumes?.find((line) => line.startsWith(volume))).toMatch(/:ro$/)
    }
  })

  test('starts a model only on request, and the example names the one that is downloaded', () => {
    const withProfile = services.filter((service) => service['profiles'] !== undefined)
    expect(withProfile.map(({ name, profiles }) => [name, profiles])).toEqual([
      ['model', ['model']],
      ['model-pull', ['model']],
    ])
    const needs = services
      .filter((one) => !withProfile.includes(one))
      .flatMap((one) => Object.keys(one.depends_on ?? {}))
    expect(needs.filter((name) => name.startsWith('model'))).toEqual([])
    expect(compose.services['model']?.image).toBe(compose.services['model-pull']?.image)
    const example = readFileSync(`${ROOT}deploy/compose/example.env`, 'utf8').replaceAll(/^#(?=[A-Z_]+=)/gm, '')
    const { COMPOSE_PROFILES, NAMEWRIGHT_MODEL, NAMEWRIGHT_MODEL_URL } = parseEnv(example)
    expect(COMPOSE_PROFILES).toBe('model')
    expect(text).toContain(`\${LOCAL_MODEL:-${NAMEWRIGHT_MODEL?.replace('ollama:', '')}}`)
    expect(NAMEWRIGHT_MODEL_URL).toBe('http://model:11434/v1')
  })

  test('names settings that exist, and asks .env for nothing that the service would take for a setting', () => {
    const names = services.flatMap(({ environment = {} }) => Object.keys(environment))
    for (const name of names.filter((one) => one.startsWith('NAMEWRIGHT_'))) expect(SETTINGS).toHaveProperty([name])
    const asked = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name ?? '')
    expect([...new Set(asked)].toSorted()).toEqual(['EDGE_SUBNET', 'IMAGE', 'LOCAL_MODEL', 'SITE'])
    expect(text).toContain('${IMAGE:-ghcr.io/namewright/namewright:')
  })

  test('is the same with an image of one’s own, for every service that runs it', () => {
    const built = parse(readFileSync(`${ROOT}compose.build.yaml`, 'utf8'), { merge: true }) as {
      readonly services: Readonly<Record<string, object>>
    }
    const ours = services.filter(({ image }) => image.includes('namewright'))
    expect(Object.keys(built.services)).toEqual(ours.map(({ name }) => name))
    for (const service of Object.values(built.services)) {
      expect(service).toEqual({
        image: 'localhost/namewright',
        build: { context: '.', dockerfile: 'deploy/image/Containerfile' },
      })
    }
  })

  test('keeps metrics from the outside', () => {
    const caddyfile = readFileSync(`${ROOT}deploy/compose/Caddyfile`, 'utf8')
    expect([...caddyfile.matchAll(/\bport (\d+)/g)].map(([, port]) => port)).toEqual(['8080'])
    expect(compose.services['server']?.environment?.['NAMEWRIGHT_METRICS_ADDRESS']).toMatch(/:9464$/)
    expect(compose.services['server']?.ports).toBeUndefined()
  })
})

describe('the first start of compose.yaml, rehearsed', () => {
  test('makes secrets once, roles with them, a guarded Redis, a server that migrates and a worker that does not', async () => {
    const folder = await mkdtemp(`${tmpdir()}/namewright-compose-`)
    const children: ChildProcess[] = []
    const postgres = await openOwnPostgres()
    try {
      const secrets = `${folder}/secrets`
      expect(await said(['deploy/compose/secrets.ts', secrets])).toBe('secrets: made\n')
      const made = await readFile(`${secrets}/server/server.env`, 'utf8')
      expect(await said(['deploy/compose/secrets.ts', secrets])).toBe('secrets: there already\n')
      expect(await readFile(`${secrets}/server/server.env`, 'utf8')).toBe(made)
      const worker = await readFile(`${secrets}/worker/worker.env`, 'utf8')
      expect(Object.keys(parseEnv(worker))).toEqual([
        'NAMEWRIGHT_DATABASE_URL',
        'NAMEWRIGHT_REDIS_URL',
        'NAMEWRIGHT_SECRET',
      ])
      expect(new Set(made.match(/[0-9a-f]{64}/g)).size).toBe(4)

      // PostgreSQL: the roles by the same statements, and passwords wanted from them.
      const { port: postgresPort } = new URL(postgres.adminUrl)
      const admin = new pg.Client(postgres.adminUrl)
      await admin.connect()
      for (const statement of (await readFile(`${secrets}/postgres/roles.sql`, 'utf8')).trim().split(/;\n?/)) {
        if (statement) await admin.query(statement)
      }
      const { rows } = await admin.query<{ hba_file: string }>('SHOW hba_file')
      const hba = rows[0]?.hba_file ?? ''
      const guarded = 'host all namewright,namewright_owner 127.0.0.1/32 scram-sha-256\n'
      await writeFile(hba, `${guarded}${await readFile(hba, 'utf8')}`)
      await admin.query('SELECT pg_reload_conf()')
      await admin.end()

      const redisPort = String(await freePort())
      const redis = ['--port', redisPort, '--bind', '127.0.0.1', '--dir', folder]
      children.push(spawn('redis-server', [`${secrets}/valkey/valkey.conf`, ...redis], { stdio: 'ignore' }))

      // The server and the worker: entrypoint and environment as written, with the addresses of this machine.
      const here = (words: string) =>
        words
          .replaceAll('@postgres:5432', `@127.0.0.1:${postgresPort}`)
          .replaceAll('@valkey:6379', `@127.0.0.1:${redisPort}`)
      await writeFile(`${folder}/server.env`, here(made))
      await writeFile(`${folder}/worker.env`, here(worker))
      const [port, workerPort] = [String(await freePort()), String(await freePort())]
      const ports = { NAMEWRIGHT_PORT: port, NAMEWRIGHT_WORKER_PORT: workerPort }
      const start = (name: 'server' | 'worker', sign: RegExp) => {
        const { entrypoint = [], environment = {} } = compose.services[name] ?? {}
        const args = entrypoint
          .slice(1)
          .map((word) => word.replace(/\/run\/\w+-secrets/, folder).replace('/app/server', `${ROOT}server`))
        const env = { ...preset(environment), ...OFFLINE, ...ports, NAMEWRIGHT_HOST: '127.0.0.1' }
        const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
        children.push(child)
        return until(child, sign)
      }
      await start('server', /"msg":"listening"/)
      await start('worker', /"msg":"worker started"/)
      const ready = async () =>
        ((await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()) as { checks: unknown }).checks
      await expect.poll(ready).toMatchObject({ database: 'ok', redis: 'ok' })
      await said(['deploy/image/health.ts'], { NAMEWRIGHT_PORT: port })
      await said(['deploy/image/health.ts', workerPort])
      await expect(said(['deploy/image/health.ts', '1'])).rejects.toThrow(/ended with 1/)
      const denied = new pg.Client(`postgres://namewright:wrong@127.0.0.1:${postgresPort}/namewright`)
      await expect(denied.connect()).rejects.toThrow(/password authentication failed/)
    } finally {
      for (const child of children) await end(child)
      await postgres[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    }
  }, 120_000)
})

/** Nobody is asked: the start is what is rehearsed. */
const OFFLINE = {
  NAMEWRIGHT_REGISTRARS: 'none',
  NAMEWRIGHT_RDAP: 'off',
  NAMEWRIGHT_NAMESPACES: 'off',
  NAMEWRIGHT_PRICE_REFRESH: 'off',
  NAMEWRIGHT_DNS_RESOLVERS: '127.0.0.1:5320',
  NAMEWRIGHT_DRAIN_SECONDS: '0',
}

/** `${NAME:-default}` → the default, as with an empty .env. */
function preset(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')]),
  )
}

async function said(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (words: string) => (output += words))
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return output
}

async function until(child: ChildProcess, sign: RegExp): Promise<void> {
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (words: string) => (output += words))
  child.stderr?.setEncoding('utf8').on('data', (words: string) => (output += words))
  while (!sign.test(output)) {
    if (child.exitCode !== null) throw new Error(output)
    await sleep(50)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
