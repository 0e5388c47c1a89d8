/**
 * The naming, opened: one copy of the compiled knowledge, and threads that share it.
 *
 * A request for names is a few milliseconds of pure computing. On the main thread it would hold up every other
 * request, so it goes to the thread with the least to do. With no threads the caller's own computes: tools and tests
 * that have nothing else to wait for.
 */
import { open } from 'node:fs/promises'
import type { Candidate, NameRequest, Objection, ProjectSummary, Proposal } from '../model/name.ts'
import { admit } from './admit.ts'
import { createSharedMemory } from './knowledge/nearness.ts'
import type { WasmMemory } from './knowledge/nearness.ts'
import { openKnowledge } from './knowledge/knowledge.ts'
import type { Knowledge } from './knowledge/knowledge.ts'
import { propose } from './propose.ts'
import { summarise } from './summarise.ts'
import { openThreads } from './threads.ts'
import type { NamingQueue, NamingTurn } from './threads.ts'

export interface Names extends AsyncDisposable {
  /**
   * Names for this ask, best first; fewer than wanted only when no more can be made. Fails with overloaded where its turn
   * would come too late.
   */
  propose(ask: NameRequest, wanted: number, signal: AbortSignal, turn?: NamingTurn): Promise<readonly Proposal[]>
  /** Each candidate as a name with its score, or what speaks against it. Fails like `propose`. */
  admit(
    ask: NameRequest,
    candidates: readonly Candidate[],
    signal: AbortSignal,
    turn?: NamingTurn,
  ): Promise<readonly (Proposal | Objection)[]>
  /** What was understood of the description. Fails like `propose`. */
  summarise(ask: NameRequest, signal: AbortSignal, turn?: NamingTurn): Promise<ProjectSummary>
  /** What waits for a thread; without threads nothing ever does. */
  queue(): NamingQueue
}

export const COMPILED = new URL('../../build/names.bin', import.meta.url)

export async function openNames({ threads = 0 }: { readonly threads?: number } = {}): Promise<Names> {
  const memory = await readShared(COMPILED)
  if (threads > 0) {
    const opened = await openThreads(memory, threads)
    return {
      propose: (ask, wanted, signal, turn) => opened.run('propose', { ask, wanted }, signal, turn),
      admit: (ask, candidates, signal, turn) => opened.run('admit', { ask, candidates }, signal, turn),
      summarise: (ask, signal, turn) => opened.run('summarise', { ask }, signal, turn),
      queue: () => opened.queue(),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }
  const knowledge = openKnowledge(memory)
  return {
    admit: async (ask, candidates) => admit(knowledge, ask, candidates),
    summarise: async (ask) => summarise(knowledge, ask),
    async propose(ask, wanted, signal) {
      signal.throwIfAborted()
      return propose(knowledge, ask, wanted)
    },
    queue: () => ({ length: 0, eachMs: 0, cpuMs: 0 }),
    [Symbol.asyncDispose]: async () => {},
  }
}

/** What `pnpm build` has compiled, for tools that look inside. */
export async function readKnowledge(): Promise<Knowledge> {
  return openKnowledge(await readShared(COMPILED))
}

async function readShared(file: URL): Promise<WasmMemory> {
  await using handle = await open(file).catch((error: unknown) => {
    throw new Error(`${file.pathname} cannot be read: run pnpm build to create it`, { cause: error })
  })
  const { size } = await handle.stat()
  const memory = createSharedMemory(size)
  const bytes = new Uint8Array(memory.buffer)
  for (let at = 0; at < size;) at += (await handle.read(bytes, at, size - at, at)).bytesRead
  return memory
}
