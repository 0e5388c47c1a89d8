/** Commits to the database or, while it is down, to this node's journal, which is replayed later. */
import { NotWritten } from '../db/db.ts'
import type { Db, Statement } from '../db/db.ts'
import { ApiError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import { makeId } from '../../model/id.ts'
import type { Journal } from './journal.ts'

export interface Commit {
  readonly statements: readonly Statement[]
  readonly spending: Statement
  /** The cost, unless `spending` returns less: names charged to an earlier connection of the stream cost nothing. */
  readonly units: number
}

export interface Committed {
  readonly where: 'recorded' | 'deferred'
  readonly cost: number
}

export interface CommitContext {
  readonly db: Pick<Db, 'as'>
  /** Absent when a commit must not be deferred. */
  readonly journal?: Pick<Journal, 'append'> | undefined
  readonly now: () => number
}

/** All statements or none. Fails with what the database reports, or with `unavailable` when the journal fails as well. */
export async function commitOrJournal(
  { db, journal, now }: CommitContext,
  { accountId, keyId, quota }: Caller,
  { statements, spending, units }: Commit,
): Promise<Committed> {
  try {
    const answers = await db.as(accountId, [...statements, spending])
    const [counted] = (answers.at(-1)?.rows ?? []) as readonly { units?: number }[]
    return { where: 'recorded', cost: counted?.units ?? units }
  } catch (error) {
    if (!(error instanceof NotWritten && journal)) throw error
    // The journal stores only the fields of the caller that are needed to charge it.
    const entry = { id: makeId(now()), caller: { accountId, keyId, quota }, units, statements, spending }
    await journal.append(entry).catch((cause: unknown) => {
      throw new ApiError('unavailable', { cause })
    })
    return { where: 'deferred', cost: units }
  }
}
