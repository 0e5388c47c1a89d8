/**
 * The files in which commands keep what the next one may use: one folder of the user's own, read and replaced by several
 * processes at once.
 *
 * A folder or file that somebody else could have written is refused with one sentence, and the command goes on without
 * it. What a file says is for its reader to judge: this file only makes sure whose it is, that it is not too large, and
 * that two processes do not write at the same time.
 */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import type { Stats } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** `busy`: another process held the lock all the time. `failed`: the file cannot be written or may not be used. */
export type Update = 'done' | 'busy' | 'failed'

export interface CacheFile {
  /** Undefined if there is none or it may not be used. The same buffer as before if the file has not changed. */
  read(): Buffer | undefined
  /**
   * Replaces the content under the lock; `change` may be called again, and leaves the file as it is by returning
   * undefined. Waits for the lock for a bounded time.
   */
  update(change: (content: Buffer | undefined) => string | undefined): Promise<Update>
}

export interface CacheFolder {
  open(name: string, maxBytes: number): CacheFile
}

export interface CacheFolderOptions {
  readonly path: string
  /** Called at most once. */
  readonly onRefused: (sentence: string) => void
}

export interface CacheLocation {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
}

const LOCK_WAIT_MS = 500
// A lock is held for a fraction of a millisecond: one this old belongs to a process that was killed or stopped.
const LOCK_STALE_MS = 5_000
const OTHERS_MAY_WRITE = 0o022

class Refused extends Error {}

export function findCacheFolder(
  location: CacheLocation = { env: process.env, platform: process.platform, home: homedir() },
): string {
  const { env, platform, home } = location
  const { NAMEWRIGHT_CACHE_DIR: chosen, XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = env
  if (chosen) return resolve(chosen)
  // The specification wants a relative path ignored.
  if (xdg && isAbsolute(xdg)) return join(xdg, 'namewright')
  if (platform === 'win32') return join(local || join(home, 'AppData', 'Local'), 'namewright', 'cache')
  return platform === 'darwin' ? join(home, 'Library', 'Caches', 'namewright') : join(home, '.cache', 'namewright')
}

export function openCacheFolder({ path, onRefused }: CacheFolderOptions): CacheFolder {
  let isRefused = false

  /** Undefined if the folder or the file may not be used, or cannot be. */
  function attempt<T>(work: () => T): T | undefined {
    if (isRefused) return undefined
    try {
      return work()
    } catch (error) {
      if (error instanceof Refused) {
        isRefused = true
        onRefused(error.message)
        return undefined
      }
      if (codeOf(error) === '') throw error
      return undefined
    }
  }

  attempt(() => prepareFolder(path))

  return {
    open(name, maxBytes) {
      const file = join(path, name)
      let last: { readonly version: string; readonly content: Buffer } | undefined

      function read(): Buffer | undefined {
        last = readOwn(file, maxBytes, last)
        return last?.content
      }

      return {
        read: () => attempt(read),
        async update(change) {
          const giveUpAt = performance.now() + LOCK_WAIT_MS
          for (;;) {
            // Without a pause from the lock to its release: nothing of this process can come in between.
            const outcome = attempt(() => replaceLocked(file, () => change(read()))) ?? 'failed'
            if (outcome !== 'busy' || performance.now() >= giveUpAt) return outcome
            await sleep(1 + Math.random() * 9)
          }
        },
      }
    },
  }
}

function prepareFolder(path: string): void {
  try {
    makeFolder(path)
  } catch (error) {
    // A file or a dangling link: named below.
    if (codeOf(error) !== 'EEXIST') throw new Refused(without(`${path} cannot be made (${codeOf(error)})`))
  }
  const stats = lstatSync(path)
  if (!stats.isDirectory()) throw new Refused(without(`${path} is not a folder`))
  checkOwn(path, stats)
}

/** With those above it. Node's own way never ends where the system refuses with ENOENT, as for a home that autofs lacks. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const parent = dirname(path)
    if (codeOf(error) !== 'ENOENT' || existsSync(parent)) throw error
    makeFolder(parent)
    mkdirSync(path, { mode: 0o700 })
  }
}

function checkOwn(path: string, stats: Stats): void {
  // Windows has neither: there the folder of the user is protected by its own list of rights.
  if (process.getuid === undefined) return
  if (stats.uid !== process.getuid()) throw new Refused(without(`${path} belongs to somebody else`))
  if ((stats.mode & OTHERS_MAY_WRITE) !== 0) throw new Refused(without(`others may write to ${path}`))
}

function without(why: string): string {
  return `${why}, so nothing is kept for the next command; choose another folder with NAMEWRIGHT_CACHE_DIR.`
}

/** `last` if the file is the same as then. */
function readOwn(path: string, maxBytes: number, last: { version: string; content: Buffer } | undefined) {
  let file: number
  try {
    // Neither follows a link nor waits for the other end of a pipe.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    if (codeOf(error) === 'ELOOP') throw new Refused(without(`${path} is a link`))
    throw error
  }
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw new Refused(without(`${path} is not a file`))
    checkOwn(path, stats)
    if (stats.size > maxBytes) return undefined
    const version = `${stats.ino} ${stats.size} ${stats.mtimeMs}`
    return version === last?.version ? last : { version, content: readFileSync(file) }
  } finally {
    closeSync(file)
  }
}

function replaceLocked(path: string, change: () => string | undefined): Update {
  const lock = `${path}.lock`
  const held = takeLock(lock)
  if (held === undefined) return 'busy'
  try {
    const content = change()
    if (content === undefined) return 'done'
    const next = `${path}.new`
    remove(next)
    writeNew(next, content)
    // Another process took the lock for stale while this one was stopped: it may have written since.
    if (!isHeld(lock, held)) return 'busy'
    renameSync(next, path)
    return 'done'
  } finally {
    if (isHeld(lock, held)) remove(lock)
  }
}

/** The number of the lock file; undefined while another process holds the lock. */
function takeLock(path: string): number | undefined {
  try {
    return writeNew(path, `${process.pid} ${hostname()} ${randomUUID()}`)
  } catch (error) {
    // Windows refuses also while the file is being removed.
    const isTaken = codeOf(error) === 'EEXIST' || (process.platform === 'win32' && codeOf(error) === 'EPERM')
    if (!isTaken) throw error
  }
  const found = findStaleLock(path)
  if (found !== undefined) breakLock(path, found)
  return undefined
}

/** Its content if the process that took the lock is gone. */
function findStaleLock(path: string): string | undefined {
  try {
    const content = readFileSync(path, 'utf8')
    const age = Math.abs(Date.now() - statSync(path).mtimeMs)
    const [pid, host] = content.split(' ')
    return age > LOCK_STALE_MS || (host === hostname() && !isRunning(Number(pid))) ? content : undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function breakLock(path: string, stale: string): void {
  const aside = `${path}.${randomUUID()}`
  try {
    renameSync(path, aside)
    // Another process was faster, and this is its new lock: it gets it back.
    if (readFileSync(aside, 'utf8') !== stale) linkSync(aside, path)
  } catch (error) {
    if (codeOf(error) === '') throw error
  }
  remove(aside)
}

function isHeld(path: string, lock: number): boolean {
  return statSync(path, { throwIfNoEntry: false })?.ino === lock
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

/** Fails if there is one. Returns the number by which the file is known again. */
function writeNew(path: string, content: string): number {
  const file = openSync(path, 'wx', 0o600)
  try {
    const bytes = Buffer.from(content)
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done)
    return fstatSync(file).ino
  } catch (error) {
    // The disk is full, for example: half a lock would keep the others waiting.
    remove(path)
    throw error
  } finally {
    closeSync(file)
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (codeOf(error) === '') throw error
  }
}

/** Empty for an error that is not the system's. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
