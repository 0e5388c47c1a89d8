/** Loaded into the node before its own code: at SIGUSR2 it collects its garbage and writes what it holds. */
import { readdirSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { memoryInUse } from '../../memory.ts'

export interface Holding {
  /** Bytes of the process, of which the allocator may keep some for later. */
  readonly rss: number
  /** Bytes that the main thread reaches. */
  readonly used: number
  readonly files: number
}

async function reportHolding(): Promise<void> {
  const used = await memoryInUse()
  const holding: Holding = { rss: process.memoryUsage.rss(), used, files: readdirSync('/proc/self/fd').length }
  process.stdout.write(`${JSON.stringify({ holding })}\n`)
}

if (isMainThread) process.on('SIGUSR2', () => void reportHolding())
