/**
 * The image proves itself: from an empty database to one answer, and what it must not be able to do.
 *
 *   make a database → `migrate`, `admin create-account`, `admin create-key` → serve → health check → /healthz, /readyz
 *   → one generate → the web app, the element, the manual → SIGTERM, exit 0
 *
 * Beside that: writing anywhere but in the volume fails, there is nothing to execute but Node, and no file belongs to the
 * user that it runs as. It throws at the first thing that is not so, and returns a line for each that is. Names are
 * checked against nobody: the image has to run, not the internet.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, lstatSync, mkdirSync, readdirSync, readlinkSync } from 'node:fs'
import pg from 'pg'
import { freePort } from '../../server/test/free-port.ts'
import { REDIS_URL } from '../../server/test/redis.ts'
import { ADMIN_URL } from '../../server/test/world.ts'
import type { Runnable } from './image-config.ts'
import { finished, runInside } from './sandbox.ts'

export async function runSmoke(image: Runnable, volume: string): Promise<string[]> {
  const said: string[] = []
  const { Entrypoint, User, Healthcheck } = image.config
  must(/^[1-9]\d*:[1-9]\d*$/.test(User), `the user is a number and not root: ${User}`)
  said.push(`runs as ${User}`)
  said.push(inspectImage(image))
  mkdirSync(volume)
  chownSync(volume, Number(User.split(':')[0]), Number(User.split(':')[1]))
  said.push(await tryToWrite(image, volume))

  const name = `nw_image_${randomBytes(6).toString('hex')}`
  const port = String(await freePort())
  await onServer(`CREATE DATABASE ${name}`)
  const env = settingsFor(name, port)
  const command = async (...args: readonly string[]) => {
    const { code, output } = await finished(runInside(image, volume, [...Entrypoint, ...args], env))
    must(code === 0, `${args.join(' ')} ended with ${code}: ${output}`)
    return output.trim().split('\n')
  }
  try {
    await command('migrate')
    const [account = ''] = await command('admin', 'create-account', '--name', 'image')
    const [, key = ''] = await command('admin', 'create-key', '--account', account, '--name', 'image')
    said.push('migrate, create-account and create-key by its own command')

    const server = runInside(image, volume, Entrypoint, env)
    const ended = finished(server)
    try {
      await Promise.race([answers(`http://127.0.0.1:${port}/readyz`), ended.then(({ output }) => fail(output))])
      const [, ...check] = Healthcheck.Test
      const healthy = await finished(runInside(image, volume, check, env))
      must(healthy.code === 0, `the health check says no: ${healthy.output}`)
      for (const path of ['/healthz', '/readyz', '/', '/docs', '/embed/namewright-search.js']) {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`)
        must(answer.status === 200, `${path} is answered ${answer.status}`)
      }
      said.push('health check, /healthz, /readyz, the web app, the manual and the element answer')
      const answer = await fetch(`http://127.0.0.1:${port}/v1/generate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ description: 'a bakery that delivers by bicycle', count: 2, deadline_ms: 20_000 }),
      })
      const { data } = (await answer.json()) as { data: { suggestions: { name: string }[] } }
      must(answer.status === 200 && data.suggestions.length === 2, `generate is answered ${answer.status}`)
      said.push(`generate: ${data.suggestions.map((one) => one.name).join(', ')}`)
      server.kill('SIGTERM')
      const { code, output } = await ended
      must(code === 0, `SIGTERM ends it with ${code}: ${output}`)
      said.push('SIGTERM, exit 0')
    } finally {
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGKILL')
        await once(server, 'exit').catch(() => {})
      }
    }
    const sick = await finished(runInside(image, volume, Healthcheck.Test.slice(1), env))
    must(sick.code === 1, 'the health check says no when nobody answers')
    return said
  } finally {
    await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
}

/** Of a node on an empty database that asks nobody about names. */
export function settingsFor(database: string, port: string): Record<string, string> {
  return {
    NAMEWRIGHT_DATABASE_URL: ADMIN_URL.replace(/[^/]+$/, database),
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
}

/** Only Node and what it is linked with can be executed, and the user of the image owns nothing but the volume. */
function inspectImage({ root, config }: Runnable): string {
  const uid = Number(config.User.split(':')[0])
  const volumes = Object.keys(config.Volumes)
  const programs: string[] = []
  let files = 0
  const walk = (folder: string) => {
    for (const entry of readdirSync(`${root}${folder}`, { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      const { mode, uid: owner } = lstatSync(`${root}${path}`)
      must(owner !== uid || volumes.includes(path), `${path} belongs to the user`)
      must((mode & 0o6000) === 0, `${path} gives privileges`)
      must(!/^(?:ba|da|a|z)?sh$|^busybox$/.test(entry.name) || entry.isDirectory(), `${path} is a shell`)
      if (entry.isSymbolicLink()) must(!readlinkSync(`${root}${path}`).startsWith(root), `${path} leads outside`)
      else if (entry.isDirectory()) walk(path)
      else {
        files++
        if ((mode & 0o111) !== 0 && !path.startsWith('/app/')) programs.push(path)
      }
    }
  }
  walk('')
  const others = programs.filter((path) => path !== '/usr/bin/node' && !path.startsWith('/lib'))
  must(others.length === 0, `there is more to execute than Node: ${others.join(' ')}`)
  return `${files} files; nothing to execute but Node, no shell`
}

async function tryToWrite(image: Runnable, volume: string): Promise<string> {
  const places = ['/', '/app', '/app/server/build', '/etc', '/tmp', '/usr/bin', '/run', '/data']
  const program = `
    const { writeFileSync, rmSync } = require('node:fs')
    const say = (place) => {
      try { writeFileSync(place + '/x', 'x'); rmSync(place + '/x'); return 'written' } catch (error) { return error.code }
    }
    console.log(JSON.stringify(Object.fromEntries(${JSON.stringify(places)}.map((place) => [place, say(place)]))))`
  const { output } = await finished(runInside(image, volume, ['/usr/bin/node', '-e', program]))
  const found = JSON.parse(output) as Record<string, string>
  const [at = ''] = Object.keys(image.config.Volumes)
  for (const place of places) {
    const wanted = place === at ? 'written' : 'EROFS'
    must(found[place] === wanted, `writing to ${place}: ${found[place]} instead of ${wanted}`)
  }
  return `writing to ${places.filter((place) => place !== at).join(' ')} fails (EROFS), to ${at} it does not`
}

async function answers(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export async function onServer(statement: string): Promise<void> {
  const server = new pg.Client(ADMIN_URL)
  await server.connect()
  await server.query(statement)
  await server.end()
}

function must(isSo: boolean, otherwise: string): void {
  if (!isSo) fail(otherwise)
}

function fail(reason: string): never {
  throw new Error(`the image: ${reason}`)
}
