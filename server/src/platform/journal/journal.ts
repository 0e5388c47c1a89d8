/**
 * The journal: deferred commits on this node's own disk, for responses sent while the database was down.
 *
 * `append` resolves when the entry is on the disk (fdatasync; concurrent calls share one). `replayAll` passes every
 * entry to a callback that writes it into the database, and removes a file when all of its entries are written. A node
 * that dies in between replays its file from the start: the database refuses entries it already has (`marks.ts`), so
 * each counts once.
 *
 * One process writes a file, and only a file without a writer is replayed. A process shows that it is alive by touching
 * its file; a file untouched for half a minute belongs to the first process that renames it. A writer that was only
 * suspended finds its file gone after writing, and then nothing counts as appended.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { findEntry, lineOf } from './entry.ts'
import type { JournalEntry } from './entry.ts'

export type { JournalEntry as Entry } from './entry.ts'

export interface Journal {
  /** Resolves when it is on the disk. Fails when the disk is full, or the journal has reached its size limit. */
  append(entry: JournalEntry): Promise<void>
  /**
   * Replays every waiting entry, one call each and never two at once. After a `later` the rest waits for the next run;
   * `refused` entries are set aside for the operator.
   */
  replayAll(commitEntry: (entry: JournalEntry) => Promise<'committed' | 'refused' | 'later'>): Promise<void>
  /** How many entries of this process wait to be replayed. */
  waiting(): number
  close(): Promise<void>
}

const ALIVE_EVERY_MS = 5_000
const DEAD_AFTER_MS = 30_000
// A record is about four kilobytes, so this is a quarter of a million of them: an hour at seventy a second.
const MAX_BYTES = 1 << 30
const REPLAYED_AT_ONCE = 8

interface OpenFile {
  readonly path: string
  readonly handle: FileHandle
}

interface JournalWaiter {
  readonly line: string
  readonly done: () => void
  readonly fail: (error: unknown) => void
}

export async function openJournal(options: {
  folder: string
  now: () => number
  /** Incomplete lines: never confirmed to a caller, if a crash cut off the last one. */
  onBroken: (path: string, lines: number) => void
}): Promise<Journal> {
  const { folder, now, onBroken } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const waiters: JournalWaiter[] = []
  /** Closed files of this process that are not yet replayed. */
  const closed = new Set<string>()
  let file: OpenFile | undefined
  let writing: Promise<void> | undefined
  let bytes = 0
  let waiting = 0

  async function openFile(): Promise<OpenFile> {
    const path = join(folder, `${now()}-${randomBytes(6).toString('hex')}.journal`)
    const handle = await open(path, 'ax', 0o600)
    // Sync the folder too: otherwise a power cut may lose the file's directory entry.
    await using there = await open(folder)
    await there.sync()
    return { path, handle }
  }

  async function writeOut(): Promise<void> {
    while (waiters.length > 0) {
      const group = waiters.splice(0)
      try {
        file ??= await openFile()
        await append(file, group.map(({ line }) => line).join(''))
        waiting += group.length
        for (const { done } of group) done()
      } catch (error) {
        // Lines after a broken line would be lost with it, so nothing more is written to this file.
        await leaveFile()
        for (const { fail } of group) fail(error)
      }
    }
  }

  async function leaveFile(): Promise<void> {
    if (!file) return
    const { handle, path } = file
    file = undefined
    closed.add(path)
    await handle.close().catch(() => {})
  }

  /** Takes over the files of processes that no longer touch them. */
  async function takeOver(): Promise<void> {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.journal'))
    for (const name of names) {
      const path = join(folder, name)
      if (closed.has(path) || file?.path === path) continue
      const found = await stat(path).catch(() => undefined)
      if (!found || now() - found.mtimeMs < DEAD_AFTER_MS) continue
      const ours = join(folder, `${now()}-${randomBytes(6).toString('hex')}.journal`)
      await rename(path, ours).then(
        () => closed.add(ours),
        () => {},
      )
    }
  }

  async function replayFile(path: string, commitEntry: Parameters<Journal['replayAll']>[0]): Promise<boolean> {
    const text = await readFile(path, 'utf8')
    const lines = text.split('\n').filter((line) => line !== '')
    const entries = lines.flatMap((line) => findEntry(line) ?? [])
    if (entries.length < lines.length) onBroken(path, lines.length - entries.length)
    let isWhole = true
    const refused: string[] = []
    const rest = entries.values()
    await Promise.all(
      Array.from({ length: REPLAYED_AT_ONCE }, async () => {
        for (const entry of rest) {
          const outcome = await commitEntry(entry)
          if (outcome === 'later') isWhole = false
          if (outcome === 'refused') refused.push(lineOf(entry))
          if (!isWhole) return
        }
      }),
    )
    if (!isWhole) return false
    if (refused.length > 0) await writeFile(`${path.slice(0, -'.journal'.length)}.refused`, refused.join(''))
    await rm(path)
    waiting = Math.max(0, waiting - entries.length)
    bytes = Math.max(0, bytes - text.length)
    return true
  }

  const heartbeat = setInterval(() => {
    const paths = [...closed, ...(file ? [file.path] : [])]
    for (const path of paths) utimes(path, now() / 1000, now() / 1000).catch(() => {})
  }, ALIVE_EVERY_MS).unref()

  return {
    append(entry) {
      const line = lineOf(entry)
      if (bytes + line.length > MAX_BYTES) return Promise.reject(new Error('the journal is full'))
      bytes += line.length
      return new Promise((done, fail) => {
        waiters.push({ line, done, fail })
        writing ??= writeOut().finally(() => (writing = undefined))
      })
    },

    async replayAll(commitEntry) {
      await takeOver()
      await writing
      await leaveFile()
      for (const path of closed) {
        if (!(await replayFile(path, commitEntry))) return
        closed.delete(path)
      }
    },

    waiting: () => waiting,

    async close() {
      clearInterval(heartbeat)
      await writing
      await leaveFile()
    },
  }
}

/** On the disk, and still at the path where a replay finds it. */
async function append({ path, handle }: OpenFile, text: string): Promise<void> {
  await handle.appendFile(text)
  await handle.datasync()
  const [ours, there] = await Promise.all([handle.stat(), stat(path)])
  if (ours.ino !== there.ino) throw new Error('the journal file was replaced')
}
