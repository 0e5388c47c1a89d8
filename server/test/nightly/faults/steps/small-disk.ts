/**
 * A disk that can be full: an ext4 of a few megabytes in a file, mounted over a loop device. Needs root.
 *
 * It is filled with a file of zeros, after which whoever writes gets ENOSPC, and freed by removing that. It is unmounted
 * when it is closed, and also if we die before (`../cluster/sweeper.ts`).
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { leaveUndo, openSweeper } from '../cluster/sweeper.ts'

const run = promisify(execFile)

export interface SmallDisk extends AsyncDisposable {
  /** Where it is mounted. */
  readonly folder: string
  /** Until nothing fits any more, but for so many bytes. */
  fill(leaveBytes?: number): Promise<void>
  free(): Promise<void>
  freeBytes(): Promise<number>
}

export async function openSmallDisk(megabytes: number): Promise<SmallDisk> {
  await using opening = new AsyncDisposableStack()
  const home = await mkdtemp(`${tmpdir()}/namewright-disk-`)
  opening.defer(() => rm(home, { recursive: true, force: true }))
  opening.use(openSweeper(home))
  await run('chmod', ['755', home])
  const [image, folder] = [`${home}/image`, `${home}/disk`]
  const ballast = `${folder}/ballast`
  await mkdir(folder)
  await run('truncate', ['-s', `${megabytes}M`, image])
  // No blocks kept back for root, who fills it.
  await run('mkfs.ext4', ['-q', '-m', '0', '-F', image])
  leaveUndo(home, `umount -l ${folder}`)
  await run('mount', ['-o', 'loop', image, folder])
  opening.defer(async () => {
    await run('umount', [folder]).catch(() => run('umount', ['-l', folder]))
  })
  const freeBytes = async () => {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  }
  const closers = opening.move()
  return {
    folder,
    freeBytes,
    async fill(leaveBytes = 0) {
      const bytes = (await freeBytes()) - leaveBytes
      if (bytes > 0) await run('fallocate', ['-l', String(bytes), ballast]).catch(() => {})
      // What is left of it are the odd blocks that one file of that size does not find.
      if (leaveBytes === 0) await run('dd', ['if=/dev/zero', `of=${ballast}.rest`, 'bs=4k']).catch(() => {})
    },
    async free() {
      await rm(ballast, { force: true })
      await rm(`${ballast}.rest`, { force: true })
    },
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}
