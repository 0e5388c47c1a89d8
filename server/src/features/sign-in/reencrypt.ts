/** Re-encrypts second factors and application secrets after a rotation of NAMEWRIGHT_SECRET. */
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import { reencrypted } from './stored-secrets.ts'

export interface Reencrypted {
  readonly secondFactors: number
  readonly clientSecrets: number
}

const ROWS_AT_ONCE = 500

export async function reencryptPeople(pool: PeoplePool, secrets: readonly string[]): Promise<Reencrypted> {
  const [factors, codes, clients] = await Promise.all([
    reencryptColumn(pool, 'two_factor', 'secret', secrets),
    reencryptColumn(pool, 'two_factor', 'backup_codes', secrets),
    reencryptColumn(pool, 'oauth_client', 'client_secret', secrets),
  ])
  return { secondFactors: Math.max(factors, codes), clientSecrets: clients }
}

async function reencryptColumn(
  { run }: PeoplePool,
  table: string,
  column: string,
  secrets: readonly string[],
): Promise<number> {
  let [changed, last] = [0, '']
  let rows: readonly { id: string; text: string }[]
  do {
    rows = await run<{ id: string; text: string }>(
      `SELECT id, ${column} AS text FROM ${table} WHERE ${column} IS NOT NULL AND id > $1 ORDER BY id LIMIT ${ROWS_AT_ONCE}`,
      [last],
    )
    for (const { id, text } of rows) {
      last = id
      const renewed = await reencrypted(text, secrets)
      if (renewed === undefined) continue
      // Only if the value is unchanged: the person may be changing it at this moment.
      const change = `UPDATE ${table} SET ${column} = $3 WHERE id = $1 AND ${column} = $2 RETURNING id`
      changed += (await run(change, [id, text, renewed])).length
    }
  } while (rows.length === ROWS_AT_ONCE)
  return changed
}
