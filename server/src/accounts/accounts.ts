/** Accounts: the tenants. One owns keys, history and favorites, and sees no other. */
import type { Db } from '../db/db.ts'
import type { AccountId } from '../model/caller.ts'
import { makeId } from '../model/id.ts'

export interface AccountSpec {
  readonly name: string
  readonly language?: string
  /** Absent: history is kept for ever. 0: never. */
  readonly historyDays?: number
}

export interface Accounts {
  create(spec: AccountSpec): Promise<AccountId>
}

export function openAccounts({ db, now }: { db: Db; now: () => number }): Accounts {
  return {
    async create({ name, language, historyDays }) {
      const id = makeId(now()) as AccountId
      await db.as(id, [
        {
          name: 'account_insert',
          text: 'INSERT INTO account (id, name, language, history_days, created_at) VALUES ($1, $2, $3, $4, $5)',
          values: [id, name, language, historyDays, new Date(now())],
        },
      ])
      return id
    },
  }
}
