/** The machine and the process: Node, memory, open files, and a folder of our own that keeps what is written to it. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rm, stat, statfs } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { notesOn, reasonOf } from './finding.ts'
import type { Finding } from './finding.ts'

const NODE_LEAST = 26
// A node takes some 300 MB with the names it knows; below this there is no room for what it does with them.
const MEMORY_LEAST = 768 * 1024 * 1024
// A connection is a file, and so is every question under way. Debian's 1024 is used up by a thousand callers.
const FILES_WANTED = 8_192
const FREE_LEAST = 1024 * 1024 * 1024
const GIB = 1024 ** 3

export async function lookAtMachine(): Promise<Finding[]> {
  const node = notesOn('Node')
  const major = Number(process.versions.node.split('.')[0])
  if (major >= NODE_LEAST) node.ok(process.versions.node)
  else node.problem(process.versions.node, `install Node ${NODE_LEAST} or newer`)

  const memory = notesOn('memory')
  // What a container may have, where there is one.
  const bytes = Math.min(process.constrainedMemory() || Infinity, process.availableMemory())
  const found = `${(bytes / GIB).toFixed(1)} GiB for this process, ${availableParallelism()} cores`
  if (bytes >= MEMORY_LEAST) memory.ok(found)
  else memory.warning(found, 'give it at least 1 GiB: the names it knows alone take a third of that')

  return [...node.list, ...memory.list, ...(await lookAtFiles())]
}

async function lookAtFiles(): Promise<readonly Finding[]> {
  const notes = notesOn('open files')
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, soft] = /^Max open files\s+(\S+)/m.exec(limits) ?? []
  if (soft === undefined) notes.skipped('this system does not tell its limit')
  else if (soft === 'unlimited' || Number(soft) >= FILES_WANTED) notes.ok(`up to ${soft}`)
  else notes.warning(`up to ${soft}`, `raise the limit to ${FILES_WANTED} (LimitNOFILE in systemd, ulimit -n)`)
  return notes.list
}

/** Is it there, can it be written to, does it say when something is on disk, and is there room? */
export async function lookAtFolder(
  folder: string | undefined,
  isNeededBy: readonly string[],
): Promise<readonly Finding[]> {
  const notes = notesOn('data folder')
  if (folder === undefined) {
    const found = 'NAMEWRIGHT_DATA_DIR is empty: nothing is kept over a restart'
    const todo = 'name a folder of this node, so that requests go on while the primary database is away'
    if (isNeededBy.length > 0) notes.problem(found, `set it: ${isNeededBy.join(' and ')} needs it`)
    else notes.warning(found, todo)
    return notes.list
  }
  const file = join(folder, `.doctor-${randomUUID()}`)
  try {
    await makeFolder(folder)
    const startedAt = performance.now()
    await using handle = await open(file, 'wx')
    await handle.writeFile('doctor\n')
    await handle.sync()
    notes.ok(`${folder} can be written to; a write reaches the disk in ${Math.ceil(performance.now() - startedAt)} ms`)
  } catch (error) {
    notes.problem(
      `${folder}: ${reasonOf(error)}`,
      'let the user that runs the service own it, on a disk that is not read-only',
    )
    return notes.list
  } finally {
    await rm(file, { force: true }).catch(() => {})
  }
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const found = `${(free / GIB).toFixed(1)} GiB free in ${folder}`
  if (free >= FREE_LEAST) notes.ok(found)
  else notes.warning(found, 'make room: the index, and what waits for the database, are kept there')
  return notes.list
}

/** As the service would; but mkdir with `recursive` never ends where a folder can be seen into and not written to, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  const isThere = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    )
  if (await isThere(folder)) return
  await mkdir(folder, { recursive: !(await isThere(dirname(folder))) })
}
