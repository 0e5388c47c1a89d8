/** What the database holds of some accounts, read as the owner: past row-level security and past the code under test. */
import pg from 'pg'
import type { AccountId, KeyId } from '../../../source.ts'

export interface Facts {
  readonly history: readonly { account: string; key: string; mark: string; suggestions: number }[]
  readonly favorites: readonly { account: string; mark: string }[]
  readonly answers: readonly { account: string; idempotencyKey: string; hash: string }[]
  readonly budgets: readonly KeyBudget[]
}

export interface KeyBudget {
  readonly account: AccountId
  readonly key: KeyId
  /** Of a day; null is none. */
  readonly limit: number | null
  /** Of all blocks. */
  readonly used: number
  readonly granted: number
  /** What the period of a day says was handed out, of all days. */
  readonly leased: number
  /** The most that was leased on one day. */
  readonly leasedInADay: number
}

export async function gatherFacts(databaseUrl: string, accounts: readonly string[]): Promise<Facts> {
  const client = new pg.Client(databaseUrl)
  client.on('error', () => {})
  await client.connect()
  const rows = async <T extends object>(text: string) => (await client.query<T>(text, [accounts])).rows
  try {
    return {
      history: await rows(
        `SELECT account_id AS account, key_id AS key, description AS mark,
           jsonb_array_length(suggestions) AS suggestions FROM history WHERE account_id = ANY ($1)`,
      ),
      favorites: await rows('SELECT account_id AS account, domain AS mark FROM favorite WHERE account_id = ANY ($1)'),
      answers: await rows(
        `SELECT account_id AS account, key AS "idempotencyKey",
           encode(sha256(convert_to(body, 'UTF8')), 'hex') AS hash
         FROM idempotent_answer WHERE account_id = ANY ($1)`,
      ),
      budgets: await rows(
        `SELECT k.account_id AS account, k.id AS key, k.per_day::float8 AS limit, b.used, b.granted, p.leased, p."leasedInADay"
         FROM api_key k,
           LATERAL (SELECT coalesce(sum(used), 0)::float8 AS used, coalesce(sum(granted), 0)::float8 AS granted
             FROM quota_block WHERE account_id = k.account_id AND key_id = k.id) b,
           LATERAL (SELECT coalesce(sum(leased), 0)::float8 AS leased, coalesce(max(leased), 0)::float8 AS "leasedInADay"
             FROM quota_period WHERE account_id = k.account_id AND key_id = k.id AND kind = 'day') p
         WHERE k.account_id = ANY ($1)`,
      ),
    }
  } finally {
    await client.end()
  }
}
