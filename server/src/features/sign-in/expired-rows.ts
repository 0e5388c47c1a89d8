/**
 * Deletes expired rows, a few at a time, so that no statement runs long.
 *
 * Applications that registered themselves, or are described by a document, expire as well: after a day without a token
 * or a consent, otherwise after 90 days without use. Applications registered by an account never expire.
 */
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import { WEB_CLIENT } from './passes.ts'

const ROWS_AT_ONCE = 1_000

export async function removeExpired({ run }: Pick<PeoplePool, 'run'>): Promise<void> {
  await run("DELETE FROM emailed_link WHERE expires_at < now() - interval '1 day'")
  for (const table of [
    'verification',
    'session',
    'oauth_access_token',
    'oauth_refresh_token',
    'oauth_client_assertion',
  ]) {
    await run(`DELETE FROM ${table} WHERE id IN (
      SELECT id FROM ${table} WHERE expires_at < now() - interval '1 day' ORDER BY expires_at LIMIT ${ROWS_AT_ONCE})`)
  }
  await run(
    `DELETE FROM oauth_client WHERE id IN (
       SELECT id FROM oauth_client WHERE reference_id IS NULL AND client_id <> $1
         AND CASE WHEN used_at IS NULL THEN created_at < now() - interval '1 day'
                  ELSE used_at < now() - interval '90 days' END
       ORDER BY created_at LIMIT ${ROWS_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
    [WEB_CLIENT.clientId],
  )
}
