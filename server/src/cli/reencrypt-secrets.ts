/**
 * `namewright-server reencrypt`: after a rotation of NAMEWRIGHT_SECRET, re-encrypts everything that is encrypted with
 * another accepted secret with the current one, so that the others can be removed. Safe to run while nodes serve, and
 * repeatedly.
 */
import type { Config } from '../platform/config/config.ts'
import { openDb } from '../platform/db/db.ts'
import { openPeoplePool } from '../platform/db/people-pool.ts'
import { BEFORE_ALL } from '../platform/db/walk.ts'
import { openJobs } from '../platform/jobs/jobs.ts'
import { openLog } from '../platform/log.ts'
import type { AccountId } from '../model/caller.ts'
import { reencryptPeople } from '../features/sign-in/index.ts'
import { reencryptWebhooks } from '../features/webhooks/index.ts'

const ACCOUNTS_AT_ONCE = 500

export async function runReencrypt(
  { database, secrets: accepted }: Config,
  { stdout }: { readonly stdout: { write(text: string): unknown } },
): Promise<number> {
  const url = database.url.reveal()
  const secrets = accepted.map((secret) => secret.reveal())
  await using opened = new AsyncDisposableStack()
  const db = openDb({ url, poolSize: 1 })
  opened.defer(() => db.close())
  const people = openPeoplePool({ url })
  opened.defer(() => people.close())
  const jobs = openJobs({ url, log: openLog('warn') })
  opened.defer(() => jobs.close())

  const { secondFactors, clientSecrets } = await reencryptPeople(people, secrets)
  let webhooks = 0
  let page: readonly AccountId[]
  let last: string = BEFORE_ALL
  do {
    page = await jobs.listAccounts(last, ACCOUNTS_AT_ONCE)
    for (const account of page) {
      webhooks += await reencryptWebhooks(db, account, secrets)
      last = account
    }
  } while (page.length === ACCOUNTS_AT_ONCE)
  stdout.write(
    `re-encrypted ${secondFactors} two-factor secrets, ${clientSecrets} client secrets, ${webhooks} webhooks\n`,
  )
  return 0
}
