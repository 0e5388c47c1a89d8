/**
 * Opens a file as bytes, mapped if possible, so that all processes of a machine share one copy in the page cache and
 * opening a gigabyte takes milliseconds. If it cannot be mapped (no native module for the platform, no `mmap` in its
 * libc) it is read into shared memory, which gives the same results and costs its size.
 *
 * **Invariant:** a mapped file is never changed in place. Truncating it would crash the process that reads it. Index
 * files are named by their content and only ever replaced by other files.
 */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

export interface Mapped {
  readonly bytes: Uint8Array
  /** Releases the bytes: code that still holds them sees an empty array. */
  close(): void
}

export type OpenBytes = (path: string) => Promise<Mapped>

// The same on Linux, macOS and the BSDs.
const PROT_READ = 1
const MAP_SHARED = 1
const MAP_FAILED = 2n ** 64n - 1n

/** The best method on this machine. Never fails: without koffi or mmap it is `readShared`. */
export async function findOpenBytes(): Promise<OpenBytes> {
  try {
    const { default: koffi } = await import('koffi')
    const libc = koffi.load(null)
    const mmap = libc.func('mmap', 'void *', ['void *', 'size_t', 'int', 'int', 'int', 'int64_t'])
    const munmap = libc.func('munmap', 'int', ['void *', 'size_t'])
    return async (path) => {
      await using file = await open(path, constants.O_RDONLY)
      const { size } = await file.stat()
      // An empty file cannot be mapped.
      if (size === 0) return { bytes: new Uint8Array(0), close: () => {} }
      const address = mmap(null, size, PROT_READ, MAP_SHARED, file.fd, 0) as bigint | null
      if (address === null || address === MAP_FAILED) return readShared(path)
      const buffer = koffi.view(address, size)
      let isOpen = true
      return {
        bytes: new Uint8Array(buffer),
        close() {
          if (!isOpen) return
          isOpen = false
          // Detached first: a late reader finds an empty buffer instead of unmapped memory.
          buffer.transfer(0)
          munmap(address, size)
        },
      }
    }
  } catch {
    return readShared
  }
}

// One read of this size at a time keeps the event loop responsive.
const READ_BYTES = 1 << 24

export async function readShared(path: string): Promise<Mapped> {
  await using file = await open(path, constants.O_RDONLY)
  const { size } = await file.stat()
  const bytes = new Uint8Array(new SharedArrayBuffer(size))
  for (let done = 0; done < size;) {
    const { bytesRead } = await file.read(bytes, done, Math.min(READ_BYTES, size - done), done)
    if (bytesRead === 0) throw new Error(`${path} became shorter while it was read`)
    done += bytesRead
  }
  return { bytes, close: () => {} }
}
