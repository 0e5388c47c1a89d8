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
import { isSuffix } from '../../model/domain.ts'
import type { Suffix } from '../../model/domain.ts'
import { CzdsError, openCzdsSession } from './czds-session.ts'
import type { CzdsAccount } from './czds-session.ts'
import { isGzip } from './gzip.ts'
import { download, fetchText } from './http.ts'
import type { HttpRequest } from './http.ts'
import { replaceFile } from './replace-file.ts'

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
