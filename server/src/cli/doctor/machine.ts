/** Checks the machine and the process: Node, memory, open files, and a data folder that keeps what is written to it. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rm, stat, statfs } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { notesOn, reasonOf } from './finding.ts'
import type { Finding } from './finding.ts'

const NODE_LEAST = 26
// A node needs some 300 MB; below this there is not enough memory to work with it.
const MEMORY_LEAST = 768 * 1024 * 1024
// A connection is an open file, and so is every request in flight. Debian's 1024 is used up by a thousand callers.
const FILES_WANTED = 8_192
const FREE_LEAST = 1024 * 1024 * 1024
const GIB = 1024 ** 3

export async function checkMachine(): Promise<Finding[]> {
  const node = notesOn('Node')
  const major = Number(process.versions.node.split('.')[0])
  node.require(major >= NODE_LEAST, process.versions.node, `install Node ${NODE_LEAST} or newer`)

  const memory = notesOn('memory')
  // The limit of a container, if there is one.
  const bytes = Math.min(process.constrainedMemory() || Infinity, process.availableMemory())
  const found = `${(bytes / GIB).toFixed(1)} GiB for this process, ${availableParallelism()} cores`
  memory.expect(bytes >= MEMORY_LEAST, found, 'provide at least 1 GiB')

  return [...node.list, ...memory.list, ...(await checkFiles())]
}

async function checkFiles(): Promise<readonly Finding[]> {
  const notes = notesOn('open files')
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, soft] = /^Max open files\s+(\S+)/m.exec(limits) ?? []
  const todo = `raise the limit to ${FILES_WANTED} (LimitNOFILE in systemd, ulimit -n)`
  if (soft === undefined) notes.skipped('the limit cannot be read on this system')
  else notes.expect(soft === 'unlimited' || Number(soft) >= FILES_WANTED, `up to ${soft}`, todo)
  return notes.list
}

/** Checks that the folder exists, is writable, confirms writes to disk, and has free space. */
export async function checkFolder(
  folder: string | undefined,
  isNeededBy: readonly string[],
): Promise<readonly Finding[]> {
  const notes = notesOn('data folder')
  if (folder === undefined) {
    const found = 'NAMEWRIGHT_DATA_DIR is empty: nothing survives a restart'
    const todo = 'set a folder that only this node uses, so that prices and the index are there after a restart'
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
    notes.problem(`${folder}: ${reasonOf(error)}`, 'make the service user its owner, on a writable disk')
    return notes.list
  } finally {
    await rm(file, { force: true }).catch(() => {})
  }
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  notes.expect(free >= FREE_LEAST, `${(free / GIB).toFixed(1)} GiB free in ${folder}`, 'free some space for the index')
  return notes.list
}

/**
 * Like the service, but mkdir with `recursive` never ends for a folder that is readable and not writable, as in
 * /proc.
 */
async function makeFolder(folder: string): Promise<void> {
  const isThere = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    )
  if (await isThere(folder)) return
  await mkdir(folder, { recursive: !(await isThere(dirname(folder))) })
}
