/**
 * The files of the built web app, and the headers that they are sent with: lists them and prepares each for sending.
 * `features/site/` has the paths.
 *
 * The folder is listed once, at the first request. A file is found only by its name in that list, so no path leads out
 * of the folder. Each is read and compressed when it is first requested; if the build has left a compressed one beside
 * it (`.br`, `.gz`), that one is used. Without a folder there is no app, and everything else works.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readyFile, type SentFile } from './sent-files.ts'

export interface AppFiles {
  isBuilt(): boolean
  /** `path`: relative to the folder, with slashes; undefined if there is no such file. */
  find(path: string): Promise<SentFile | undefined>
}

export const PAGE = 'index.html'
/** The setting for no app at all. */
const NONE = 'none'
const BUILT = fileURLToPath(new URL('../../build/web/', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/vnd.microsoft.icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
}

export function openAppFiles(folder: string = BUILT): AppFiles {
  let listed: Promise<ReadonlySet<string>> | undefined
  const ready = new Map<string, Promise<SentFile>>()

  async function list(): Promise<ReadonlySet<string>> {
    try {
      return await (listed ??= listFiles(folder))
    } catch (error) {
      // Not built, or not readable: the next request tries again.
      listed = undefined
      if (isMissing(error)) return new Set()
      throw error
    }
  }

  async function read(path: string, files: ReadonlySet<string>): Promise<SentFile> {
    const bytes = (name: string) => (files.has(name) ? readFile(join(folder, name)) : undefined)
    const [plain, br, gzip] = await Promise.all([bytes(path), bytes(`${path}.br`), bytes(`${path}.gz`)])
    const packed = { ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) }
    return readyFile(TYPES[extname(path)] ?? 'application/octet-stream', plain ?? '', packed)
  }

  return {
    isBuilt: () => folder !== NONE && existsSync(join(folder, PAGE)),

    async find(path) {
      if (folder === NONE) return undefined
      const files = await list()
      if (!files.has(path)) return undefined
      const found = ready.get(path) ?? read(path, files)
      ready.set(path, found)
      found.catch(() => ready.delete(path))
      return found
    },
  }
}

async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return new Set(files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/')))
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

// Features that our pages never need, so that injected code cannot use them either.
const UNUSED = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
const OURS_ALONE = ['clipboard-write', 'publickey-credentials-get', 'publickey-credentials-create']

/** On scripts as well: a worker follows the policy that was sent with its own file. */
export const APP_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The one Trusted Types policy, which creates the URL of the service worker.
    'trusted-types namewright',
  ].join('; '),
  'Cross-Origin-Resource-Policy': 'same-origin',
}

export const APP_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-cache',
  'X-Frame-Options': 'DENY',
  // Some URLs carry tokens, so no other site may see one.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': [...UNUSED.map((name) => `${name}=()`), ...OURS_ALONE.map((name) => `${name}=(self)`)].join(
    ', ',
  ),
}

// What programs call: their errors are JSON, also in a browser.
const FOR_PROGRAMS = /^\/(?:v1|mcp|auth|\.well-known|assets|icons)(?:\/|$)/

/** Whether a browser shows the response to a person, as a page. */
export function isForPerson({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true && !FOR_PROGRAMS.test(url)
}

/** For a person who follows a wrong link: the app, which says that there is nothing. Undefined for programs. */
export async function findNotFoundPage(files: AppFiles, request: FastifyRequest): Promise<SentFile | undefined> {
  return isForPerson(request) ? files.find(PAGE) : undefined
}

export function sendNotFoundPage(reply: FastifyReply, { type, plain }: SentFile): FastifyReply {
  return reply
    .code(404)
    .headers({ ...APP_HEADERS, ...APP_PAGE_HEADERS })
    .type(type)
    .send(plain)
}
