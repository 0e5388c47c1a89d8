/**
 * A clock that is wrong, for one process: libfaketime between it and the kernel. Only the time of day is wrong; what
 * measures durations goes on as it does on a machine whose clock is set.
 */
import { existsSync, writeFileSync } from 'node:fs'

/** Where Debian puts it, by the name of the machine's kind. */
const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((kind) => `/usr/lib/${kind}/faketime/libfaketime.so.1`)

export interface Skew {
  /** For the process whose clock it is. */
  readonly env: Record<string, string>
  /** From then on, within a second: so many seconds ahead, or behind if less than zero. */
  set(seconds: number): void
}

export function openSkew(folder: string, seconds = 0): Skew {
  const library = LIBRARIES.find((path) => existsSync(path))
  if (!library) throw new Error('faketime is not installed')
  const file = `${folder}/faketime`
  const set = (to: number) => writeFileSync(file, `${to < 0 ? '-' : '+'}${Math.abs(to)}\n`)
  set(seconds)
  return {
    set,
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      // How many seconds it goes by what it has read.
      FAKETIME_CACHE_DURATION: '1',
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  }
}
