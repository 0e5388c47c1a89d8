/**
 * Carries tombstones over a restore: the people and accounts deleted, and the keys revoked, after the restored
 * moment. They are read from the last state of the database and matched in the restored one. A tombstone holds only a
 * hash; the restored database still has the row that it belongs to.
 */
import type { OwnerRun } from '../../platform/db/migrate.ts'

export type Tombstone =
  | { readonly kind: 'account' | 'person'; readonly hash: string; readonly at: string }
  | { readonly kind: 'key'; readonly account: string; readonly id: string; readonly at: string }

export interface ResurrectedRows {
  readonly accounts: readonly string[]
  readonly people: readonly string[]
  readonly keys: readonly { readonly account: string; readonly id: string }[]
}

/** Runs as the owner of the tables. */
export async function listTombstones(run: OwnerRun, since: Date): Promise<Tombstone[]> {
  const gone = (await run(
    `SELECT kind, encode(hash, 'hex') AS hash, to_json(deleted_at)#>>'{}' AS at FROM tombstone WHERE deleted_at >= $1
     ORDER BY deleted_at`,
    [since],
  )) as Tombstone[]
  return [...gone, ...(await seenByOwner(run, ['api_key'], () => revokedSince(run, since)))]
}

async function revokedSince(run: OwnerRun, since: Date): Promise<Tombstone[]> {
  const rows = await run(
    `SELECT 'key' AS kind, account_id AS account, id, to_json(revoked_at)#>>'{}' AS at FROM api_key WHERE revoked_at >= $1
     ORDER BY revoked_at`,
    [since],
  )
  return rows as Tombstone[]
}

/** The rows that the restore has resurrected. */
export async function findResurrectedRows(run: OwnerRun, tombstones: readonly Tombstone[]): Promise<ResurrectedRows> {
  const hashesOf = (kind: 'account' | 'person') =>
    tombstones.flatMap((one) => (one.kind === kind ? [Buffer.from(one.hash, 'hex')] : []))
  const ids = (rows: object[]) => (rows as { id: string }[]).map(({ id }) => id)
  const find = (table: string) => `SELECT id FROM ${table} WHERE sha256(convert_to(id::text, 'UTF8')) = ANY ($1)`
  const accounts = await seenByOwner(run, ['account'], () => run(find('account'), [hashesOf('account')]))
  const people = await run(find('people."user"'), [hashesOf('person')])
  return {
    accounts: ids(accounts),
    people: ids(people),
    keys: tombstones.filter((one) => one.kind === 'key').map(({ account, id }) => ({ account, id })),
  }
}

export function parseTombstones(text: string): Tombstone[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      const one = JSON.parse(line) as Tombstone
      if (!['account', 'person', 'key'].includes(one.kind)) throw new Error(`line ${index + 1} is not a tombstone`)
      return one
    })
}

/** Row-level security is forced on the owner, too: lifted in a transaction that is rolled back. */
async function seenByOwner<T>(run: OwnerRun, tables: readonly string[], work: () => Promise<T>): Promise<T> {
  await run("BEGIN; SET LOCAL lock_timeout = '2s'")
  try {
    for (const table of tables) await run(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`)
    return await work()
  } finally {
    await run('ROLLBACK')
  }
}
