/**
 * The web app for visitors who have not signed in: an account without members and one publishable key, limited to the
 * pages of this service.
 *
 * The key's text is derived from the service's secret, so every node knows it and none has to store it. Its quota is
 * shared by all visitors; `http/visitors.ts` limits each of them. The first request creates the account and the key.
 * Later requests check now and then that they still match the settings: the settings may have changed, and another node
 * may still use the old ones.
 *
 * With an allowance of 0 there is no key, and an earlier key is refused (`http/visitors.ts`).
 */
import { hkdfSync } from 'node:crypto'
import type { Accounts } from '../accounts/accounts.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import { keepKey } from './kept-key.ts'
import { PUBLISHABLE_SCOPES, VISITORS } from '../../model/caller.ts'
import { deriveSecret } from '../../model/credential-text.ts'

export interface VisitorsContext {
  readonly config: Config
  readonly publicUrl: string
  readonly db: Pick<Db, 'transaction'>
  readonly accounts: Pick<Accounts, 'creatingVisitors'>
  readonly now: () => number
}

export interface VisitorKey {
  /** Undefined when visitors have no allowance. */
  find(): Promise<string | undefined>
}

const READ_EVERY_MS = 60_000
// For all visitors together; each has their own limit, and the allowance is the effective bound.
const RATE = { perMinute: 1_200, burst: 300 }

export function createVisitorKey(ctx: VisitorsContext): VisitorKey {
  let firstRead: { readonly at: number; readonly done: Promise<string> } | undefined

  async function readKey(): Promise<string> {
    const { config, publicUrl, db, accounts, now } = ctx
    const secret = deriveSecret(
      'nwp',
      new Uint8Array(hkdfSync('sha256', config.secrets[0].reveal(), '', 'namewright visitors', 32)),
    )
    const spec = {
      name: 'Visitors of the web app',
      scopes: PUBLISHABLE_SCOPES,
      quota: { ...RATE, perDay: config.web.allowance, perMonth: null },
      allowedIps: [],
      allowedOrigins: [new URL(publicUrl).origin],
    }
    await db.transaction(VISITORS, async (tx) => {
      await tx.run(accounts.creatingVisitors())
      await keepKey(tx, VISITORS, { spec, secret, at: now() })
    })
    return secret
  }

  return {
    async find() {
      if (ctx.config.web.allowance === 0) return undefined
      const at = ctx.now()
      if (!firstRead || at - firstRead.at > READ_EVERY_MS) {
        firstRead = { at, done: readKey() }
        // The next request tries again.
        firstRead.done.catch(() => (firstRead = undefined))
      }
      return firstRead.done
    },
  }
}
