/**
 * How much CPU time a test file takes, with every process that it starts; the run's table of the slowest files shows it.
 * Read from /proc, so there is none where there is no /proc. What the file uses of servers that were there before, such
 * as PostgreSQL, is not counted.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    cpuSeconds?: number
  }
}

const TICKS_PER_SECOND = 100
const FIRST = Symbol.for('namewright.cpu-time')

// The first file of a process pays for its start as well.
const before = FIRST in globalThis ? cpuSeconds() : 0
Object.assign(globalThis, { [FIRST]: true })

// oxlint-disable-next-line no-empty-pattern -- Vitest wants it so
afterAll(({}, suite) => {
  suite.file.meta.cpuSeconds = Math.max(0, cpuSeconds() - before)
})

/** Of this process and all below it, those included that have ended and were waited for. */
function cpuSeconds(): number {
  const processes = new Map(listProcesses().map((one) => [one.pid, one]))
  let ticks = 0
  for (const { pid, ticks: own } of processes.values()) if (isBelow(pid)) ticks += own
  return ticks / TICKS_PER_SECOND

  function isBelow(pid: number): boolean {
    for (let at = pid; at > 1; at = processes.get(at)?.parent ?? 0) if (at === process.pid) return true
    return false
  }
}

function listProcesses(): { pid: number; parent: number; ticks: number }[] {
  const names = (() => {
    try {
      return readdirSync('/proc')
    } catch {
      return []
    }
  })()
  return names.flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      // After the name, which may hold anything: state, parent, …, then user, system and the same of waited-for children.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0)
      return [{ pid: Number(name), parent: Number(fields[1]), ticks }]
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}
