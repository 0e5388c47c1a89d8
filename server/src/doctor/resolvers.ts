/**
 * Each resolver by itself: does it answer the question that all screening rests on, and does it tell the truth about names that
 * nobody has?
 */
import { randomInt } from 'node:crypto'
import { notesOn } from './finding.ts'
import type { Finding } from './finding.ts'

export type DsAnswer = 'exists' | 'absent' | 'none'

/** Asks one resolver for DS of a name. */
export type AskDs = (resolver: string, name: string) => Promise<DsAnswer>

export interface ResolversLook {
  readonly resolvers: readonly string[]
  /** Registered for years, under suffixes on offer. */
  readonly known: readonly string[]
  readonly suffixes: readonly string[]
  readonly askDs: AskDs
}

export async function lookAtResolvers({
  resolvers,
  known,
  suffixes,
  askDs,
}: ResolversLook): Promise<readonly Finding[]> {
  const notes = notesOn('DNS')
  if (resolvers.length === 0) {
    notes.problem('there is no resolver', 'set NAMEWRIGHT_DNS_RESOLVERS')
    return notes.list
  }
  await Promise.all(
    resolvers.map(async (resolver) => {
      const startedAt = performance.now()
      const answers = await Promise.all(known.map((name) => askDs(resolver, name)))
      const tookMs = Math.ceil(performance.now() - startedAt)
      if (answers.every((answer) => answer === 'none')) {
        const todo = 'name a recursive resolver that this machine may ask, best one of your own'
        return notes.problem(`${resolver} does not answer questions for DS`, todo)
      }
      const denied = known.filter((_, index) => answers[index] === 'absent')
      if (denied.length === known.length) {
        return notes.problem(
          `${resolver} says that ${denied.join(', ')} do not exist`,
          'name a recursive resolver of the public DNS: this one knows a world of its own',
        )
      }
      const liars = await Promise.all(
        suffixes.map(async (suffix) => [suffix, await askDs(resolver, nobodys(suffix))] as const),
      )
      const rewritten = liars.filter(([, answer]) => answer === 'exists').map(([suffix]) => suffix)
      if (rewritten.length === suffixes.length) {
        return notes.problem(
          `${resolver} says that names exist which nobody has: it rewrites NXDOMAIN`,
          'name another: with this one nothing is ever found to be free',
        )
      }
      if (rewritten.length > 0) {
        notes.warning(
          `${resolver}: every name under ${rewritten.join(', ')} seems to exist`,
          'its registry answers for all names, and DNS is not believed there; registrars and RDAP are asked instead',
        )
      }
      notes.ok(`${resolver} answers for DS (${known.length} names in ${tookMs} ms) and leaves NXDOMAIN as it is`)
    }),
  )
  return notes.list
}

/** Twenty letters at random under a suffix. */
function nobodys(suffix: string): string {
  return `${Array.from({ length: 20 }, () => String.fromCharCode(0x61 + randomInt(26))).join('')}.${suffix}`
}
