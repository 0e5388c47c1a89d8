/**
 * The registrars of the loopback internet: one HTTPS server that speaks the APIs of `registrar-dialects.ts` about one
 * world, and can be made to do so badly. It counts what arrives and refuses lists longer than the real ones take. The names
 * by which a registrar is tested are not counted, so that a test sees only its own; `tests` has the requests of nothing else.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { behindLabel } from '../source.ts'
import type { Certificate } from '../certificate.ts'
import { DIALECTS } from './registrar-dialects.ts'
import type { Said } from './registrar-dialects.ts'
import { isControlName, rowsOf, twist, TWISTS } from './registrar-world.ts'
import type { RegistrarWorld } from './registrar-world.ts'

const BREAKS = ['html', 'empty', 'cut off', 'wrong shape', 'gzip bomb', '10 MB', 'redirect'] as const
type Break = (typeof BREAKS)[number]
const STATUSES = ['429', '403', '422', '500', '429 later', '403 later', '422 later'] as const

export const MOODS = ['well', 'slow', 'silent', 'bad certificate', ...STATUSES, ...TWISTS, ...BREAKS] as const
export type Mood = (typeof MOODS)[number]

/** How Vercel's list of suffixes is answered. `slow`: not at all. */
export const LIST_MOODS = ['well', 'refused', 'slow', 'empty', 'html', 'an object', 'without com'] as const
export type ListMood = (typeof LIST_MOODS)[number]

export interface RegistrarRequest {
  readonly at: number
  readonly api: string
  readonly names: readonly string[]
}

export interface RegistrarServer extends AsyncDisposable {
  readonly url: string
  /** Requests for names, in order of arrival. */
  readonly requests: readonly RegistrarRequest[]
  /** Requests for nothing but names by which a registrar is tested. */
  readonly tests: readonly RegistrarRequest[]
  /** Requests for Vercel's list of suffixes. */
  readonly lists: readonly { readonly at: number }[]
  /** `held`: requests wait for the next mood. */
  be(mood: Mood | 'held'): void
  list(mood: ListMood): void
}

export interface RegistrarServerOptions {
  readonly world: RegistrarWorld
  readonly certificate: Certificate
  /** Of an authority that clients do not trust. */
  readonly stranger: Certificate
}

export const SLOW_MS = 400
const RETRY_AFTER_SECONDS = 7

export async function openRegistrarServer(options: RegistrarServerOptions): Promise<RegistrarServer> {
  const { world, certificate, stranger } = options
  const [requests, tests]: [RegistrarRequest[], RegistrarRequest[]] = [[], []]
  const lists: { at: number }[] = []
  let mood: Mood | 'held' = 'well'
  let listMood: ListMood = 'well'
  let changed = Promise.withResolvers<void>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Date.now()
    const asked = {
      path: request.url ?? '',
      authorization: request.headers.authorization ?? '',
      headers: request.headers,
      body: await readText(request),
    }
    if (asked.path === '/v1/registrar/tlds/supported') {
      lists.push({ at })
      if (mood === 'slow') await sleep(SLOW_MS)
      return writeSuffixes(response, listMood, vercelSuffixes(world))
    }
    const dialect = DIALECTS.find((one) => one.matches(asked))
    if (dialect === undefined) return write(response, { status: 404, type: 'text/plain', body: 'no such thing' })
    const names = dialect.names(asked)
    const shown = names.filter((name) => !isControlName(name))
    if (shown.length > 0) requests.push({ at, api: dialect.api, names: shown })
    else tests.push({ at, api: dialect.api, names })
    if (!(await dialect.isAllowed(asked)))
      return write(response, { status: 401, type: 'text/plain', body: 'who are you?' })
    if (names.length > dialect.most) return write(response, { status: 400, type: 'text/plain', body: 'too many' })
    if (mood === 'held') await changed.promise
    if (mood === 'silent') return
    if (mood === 'slow') await sleep(SLOW_MS)
    const status = Number.parseInt(mood, 10)
    if (isOneOf(STATUSES, mood)) {
      if (mood.endsWith('later')) response.setHeader('retry-after', RETRY_AFTER_SECONDS)
      return write(response, { status, type: 'text/plain', body: 'no' })
    }
    // Vercel's answer fits its list of suffixes, also for a caller who has not read the list yet.
    const sold = dialect.api === 'vercel' ? vercelSuffixes(world) : undefined
    const rows = rowsOf(world, names).map((row) =>
      sold === undefined || sold.includes(behindLabel(row.name)) ? row : { ...row, kind: 'unsold' as const },
    )
    const said = dialect.write(isOneOf(TWISTS, mood) ? twist(rows, mood) : rows)
    if (isOneOf(BREAKS, mood)) return breakOff(response, mood, said)
    write(response, said)
  }

  const server = createServer(readPair(certificate), (request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    requests,
    tests,
    lists,
    be(next) {
      const isOther = (next === 'bad certificate') !== (mood === 'bad certificate')
      mood = next
      changed.resolve()
      changed = Promise.withResolvers()
      if (!isOther) return
      server.setSecureContext(readPair(next === 'bad certificate' ? stranger : certificate))
      server.closeAllConnections()
    },
    list(next) {
      listMood = next
    },
    [Symbol.asyncDispose]() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

export function readPair({ env }: Certificate) {
  return { cert: readFileSync(env.NAMEWRIGHT_TLS_CERT_FILE), key: readFileSync(env.NAMEWRIGHT_TLS_KEY_FILE) }
}

function writeSuffixes(response: ServerResponse, mood: ListMood, suffixes: readonly string[]): void {
  if (mood === 'slow') return
  if (mood === 'refused') return write(response, { status: 401, type: 'text/plain', body: 'who are you?' })
  if (mood === 'html') return write(response, { status: 200, type: 'text/html', body: '<html><p>Checking</p></html>' })
  const others = suffixes.filter((suffix) => suffix !== 'com')
  const said = { well: suffixes, empty: [], 'an object': { suffixes }, 'without com': others }[mood]
  write(response, { status: 200, type: 'application/json', body: JSON.stringify(said) })
}

function vercelSuffixes({ unsold, alsoSold = [] }: RegistrarWorld): readonly string[] {
  return ['com', 'net', 'org', 'shop', ...alsoSold].filter((suffix) => !unsold.has(suffix))
}

function write(response: ServerResponse, { status, type, body }: Said): void {
  response.writeHead(status, { 'content-type': type }).end(body)
}

function breakOff(response: ServerResponse, how: Break, said: Said): void {
  switch (how) {
    case 'html':
      return write(response, {
        ...said,
        type: 'text/html',
        body: '<html><body><p>Checking your browser…</body></html>',
      })
    case 'empty':
      return write(response, { ...said, body: '' })
    case 'cut off':
      return write(response, { ...said, body: said.body.slice(0, said.body.length / 2) })
    case 'wrong shape':
      return write(response, { ...said, body: said.body.replaceAll('true', '"maybe"') })
    case 'gzip bomb': {
      // The right answer, and after it blanks that unpack to a hundred times the limit.
      const bomb = gzipSync(Buffer.concat([Buffer.from(said.body), Buffer.alloc(32 * 1024 * 1024, ' ')]))
      response.writeHead(200, { 'content-type': said.type, 'content-encoding': 'gzip' }).end(bomb)
      return
    }
    case '10 MB':
      return write(response, { ...said, body: said.body + ' '.repeat(10 * 1024 * 1024) })
    case 'redirect':
      response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(said.body)
      return
  }
}

function isOneOf<T extends string>(list: readonly T[], text: string): text is T {
  return list.some((one) => one === text)
}
