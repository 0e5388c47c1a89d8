/**
 * The web app for whoever has not signed in: an account that belongs to nobody, and one publishable key of it, for the
 * pages of this service alone.
 *
 * The key's text follows from the service's secret, so every node knows it and none has to store it. What it may use up
 * is for all visitors together; what one of them gets of it, `http/visitors.ts` says. The account and the key are made by
 * the first who needs them. Whoever needs them later looks now and then whether they are still as the settings say: the
 * settings may have changed, and another node may still have the old ones.
 *
 * With an allowance of 0 there is nothing to find, and a key from before opens nothing (`http/visitors.ts`).
 */
import { hkdfSync } from 'node:crypto'
import type { Accounts } from './accounts/accounts.ts'
import type { Config } from './config/config.ts'
import type { Db } from './db/db.ts'
import { keepKey } from './keys/kept-key.ts'
import { PUBLISHABLE_SCOPES, VISITORS } from './model/caller.ts'
import { deriveSecret } from './model/credential-text.ts'

export interface VisitorsContext {
  readonly config: Config
  readonly publicUrl: string
  readonly db: Pick<Db, 'transaction'>
  readonly accounts: Pick<Accounts, 'creatingVisitors'>
  readonly now: () => number
}

export interface VisitorKey {
  /** Undefined where visitors have no allowance. */
  find(): Promise<string | undefined>
}

const LOOK_EVERY_MS = 60_000
// For all visitors at once; each has a limit of their own, and the allowance is the one that matters.
const RATE = { perMinute: 1_200, burst: 300 }

export function createVisitorKey({ config, publicUrl, db, accounts, now }: VisitorsContext): VisitorKey {
  const perDay = config.web.allowance
  const secret = deriveSecret(
    'nwp',
    new Uint8Array(hkdfSync('sha256', config.secret.reveal(), '', 'namewright visitors', 32)),
  )
  const spec = {
    name: 'Visitors of the web app',
    scopes: PUBLISHABLE_SCOPES,
    quota: { ...RATE, perDay, perMonth: null },
    allowedIps: [],
    allowedOrigins: [new URL(publicUrl).origin],
  }
  let looked: { readonly at: number; readonly done: Promise<void> } | undefined

  async function look(): Promise<void> {
    await db.transaction(VISITORS, async (tx) => {
      await tx.run(accounts.creatingVisitors())
      await keepKey(tx, VISITORS, { spec, secret, at: now() })
    })
  }

  return {
    async find() {
      if (perDay === 0) return undefined
      if (!looked || now() - looked.at > LOOK_EVERY_MS) {
        const done = look()
        looked = { at: now(), done }
        // Whoever comes next tries again.
        done.catch(() => (looked = undefined))
      }
      await looked.done
      return secret
    },
  }
}
