/**
 * Downloads zone files from CZDS with the operator's own approval: lists the approved zones and streams them to disk
 * as `<suffix>.zone.gz`.
 *
 * CZDS allows each zone once in 24 hours. The time of the last download is stored beside the zone, so that the rule
 * holds across runs; If-Modified-Since avoids the download of an unchanged zone. A file replaces the previous one
 * only if it arrived complete and is gzip; its modification time becomes the moment the registry wrote it.
 *
 * Throws CzdsError.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { isGzip } from './gzip.ts'
import { download, fetchText, type Downloaded, type HttpRequest } from './http.ts'
import { isSuffix, type Suffix } from './manifest.ts'
import { replaceFile } from './replace-file.ts'

export class CzdsError extends Error {}

export interface CzdsAccount {
  readonly username: string
  /** A function, so that it is not printed by accident. */
  readonly password: { reveal(): string }
  /** `https://account-api.icann.org` */
  readonly accountUrl: string
}

export interface Czds {
  /** The zones the account is approved for, and their URLs. */
  listZones(): Promise<ReadonlyMap<Suffix, string>>
  /** `recent`: it was downloaded less than 24 hours ago and is not requested. */
  fetchZone(suffix: Suffix, url: string, directory: string): Promise<'fetched' | 'unchanged' | 'recent'>
}

export interface CzdsOptions extends CzdsAccount {
  /** `https://czds-api.icann.org` */
  readonly apiUrl: string
  readonly request: HttpRequest
  readonly now: () => number
}

// The API requires a user agent.
const AGENT = 'namewright'
// A request that starts now must not end after the token expires.
const SPARE_MS = 60_000
const DAY_MS = 86_400_000
// com is about 5 GB; ten times that is not a zone file.
const ZONE_MAX_BYTES = 50e9

export function openCzds({ apiUrl, request, now, ...account }: CzdsOptions): Czds {
  const session = openCzdsSession(account, request, now)

  return {
    async listZones() {
      const url = new URL('/czds/downloads/links', apiUrl).href
      const answer = await session.with((headers) => fetchText(request, 'GET', { url, headers }))
      if (answer.statusCode !== 200) throw new CzdsError(`CZDS returned the zone list with status ${answer.statusCode}`)
      return new Map(linksIn(answer.text).flatMap((link) => zoneOf(link, apiUrl)))
    },

    async fetchZone(suffix, url, directory) {
      await mkdir(directory, { recursive: true })
      const noteFile = join(directory, `${suffix}.fetched.json`)
      const note = await findNote(noteFile)
      if (note !== undefined && now() - note.at < DAY_MS) return 'recent'
      const since = note?.lastModified === undefined ? {} : { 'if-modified-since': note.lastModified }
      const part = join(directory, `.${suffix}.${randomUUID()}.part`)
      try {
        const answer = await session.with((headers) =>
          download(request, { url, headers: { ...headers, ...since }, toPath: part, maxBytes: ZONE_MAX_BYTES }),
        )
        if (answer.statusCode === 304) return 'unchanged'
        if (answer.statusCode !== 200) throw new CzdsError(`CZDS returned ${suffix} with status ${answer.statusCode}`)
        if (!(await isGzip(part))) throw new CzdsError(`the CZDS file of ${suffix} is not gzip`)
        const lastModified = answer.headers['last-modified']
        const writtenAt = new Date(lastModified ?? now())
        if (!Number.isNaN(writtenAt.getTime())) await utimes(part, writtenAt, writtenAt)
        await rename(part, join(directory, `${suffix}.zone.gz`))
        await replaceFile(noteFile, JSON.stringify({ at: now(), lastModified }))
        return 'fetched'
      } catch (cause) {
        if (cause instanceof CzdsError) throw cause
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new CzdsError(`the zone of ${suffix} is incomplete: ${reason}`, { cause })
      } finally {
        await rm(part, { force: true })
      }
    },
  }
}

function linksIn(text: string): readonly string[] {
  try {
    const links: unknown = JSON.parse(text)
    if (Array.isArray(links)) return links.filter((link) => typeof link === 'string')
  } catch {
    // Reported below, as for any other text that is not a list.
  }
  throw new CzdsError('CZDS returned no list of zones')
}

/** Empty for a link to another site: the token would be sent to it. */
function zoneOf(link: string, apiUrl: string): [Suffix, string][] {
  const url = URL.canParse(link) ? new URL(link) : undefined
  const suffix = /\/([^/]+)\.zone$/.exec(url?.pathname ?? '')?.[1]?.toLowerCase() ?? ''
  return url !== undefined && isSuffix(suffix) && isSameHouse(url, new URL(apiUrl)) ? [[suffix, link]] : []
}

/** The zones are on another host of the same domain (`czds-download-api` beside `czds-api`). */
function isSameHouse(url: URL, api: URL): boolean {
  const house = (host: string) => (/^[\d.:[\]]+$/.test(host) ? host : host.split('.').slice(-2).join('.'))
  return url.protocol === api.protocol && house(url.hostname) === house(api.hostname)
}

async function findNote(path: string): Promise<{ at: number; lastModified?: string } | undefined> {
  try {
    const note = JSON.parse(await readFile(path, 'utf8')) as { at?: unknown; lastModified?: unknown }
    if (typeof note.at !== 'number') return undefined
    return { at: note.at, ...(typeof note.lastModified === 'string' ? { lastModified: note.lastModified } : {}) }
  } catch {
    return undefined
  }
}

/**
 * A session with CZDS, ICANN's Centralized Zone Data Service (REST API 1.0.9): a token from the account API, sent with
 * every other request. A token lasts a day, and token requests are limited to a few in some minutes, so one is kept until
 * it expires. After a 401 response the token has expired early, and the request is retried once with a new one.
 */
interface CzdsSession {
  /** Calls `ask` with the authorization header; again with a new token if the first is rejected. */
  with<Answer extends Downloaded>(ask: (headers: Record<string, string>) => Promise<Answer>): Promise<Answer>
}

function openCzdsSession(account: CzdsAccount, request: HttpRequest, now: () => number): CzdsSession {
  let token: { readonly text: string; readonly endsAt: number } | undefined

  async function signIn(): Promise<string> {
    const answer = await fetchText(request, 'POST', {
      url: new URL('/api/authenticate', account.accountUrl).href,
      headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': AGENT },
      body: JSON.stringify({ username: account.username, password: account.password.reveal() }),
    })
    if (answer.statusCode === 429)
      throw new CzdsError('CZDS rate limit for sign-ins reached; try again in a few minutes')
    if (answer.statusCode === 401) throw new CzdsError('CZDS rejected the user name or password')
    if (answer.statusCode !== 200) throw new CzdsError(`CZDS sign-in failed with status ${answer.statusCode}`)
    const text = tokenIn(answer.text)
    token = { text, endsAt: endOf(text) }
    return text
  }

  return {
    async with(ask) {
      const isGood = token !== undefined && now() < token.endsAt - SPARE_MS
      const kept = isGood ? token?.text : undefined
      const first = await ask(headersOf(kept ?? (await signIn())))
      if (first.statusCode !== 401) return first
      token = undefined
      const second = await ask(headersOf(await signIn()))
      if (second.statusCode === 401) throw new CzdsError('CZDS rejected its own new token')
      return second
    },
  }
}

function headersOf(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'user-agent': AGENT }
}

function tokenIn(text: string): string {
  const body = parse(text)
  const token = typeof body === 'object' && body !== null && 'accessToken' in body ? body.accessToken : undefined
  // Printable and without blanks, because it becomes part of a header.
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) throw new CzdsError('CZDS returned no token')
  return token
}

/** When a JWT (RFC 7519 §4.1.4) expires; one without an expiry is used until it is rejected. */
function endOf(token: string): number {
  const claims = parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
  const end = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined
  return typeof end === 'number' ? end * 1000 : Infinity
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
