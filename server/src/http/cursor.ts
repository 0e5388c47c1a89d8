/**
 * Pagination cursors: the start of the next page, as a signed text.
 *
 * A cursor is the last id of a page and a MAC over it, the account, the list and its filters. One that was altered,
 * guessed, taken from another account or used with other filters is refused.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../errors.ts'
import type { AccountId } from '../model/caller.ts'

export interface Cursors {
  make(page: CursorPage, lastId: string): string
  /** Fails with invalid_cursor. */
  parse(page: CursorPage, cursor: string): string
}

/** What a cursor is bound to: it is valid only with the same account, list and filters. */
export interface CursorPage {
  readonly account: AccountId
  readonly list: string
  readonly filters: unknown
}

const ID_BYTES = 16
const MAC_BYTES = 16

/** The first secret signs, any of them verifies. */
export function createCursors(secrets: readonly string[]): Cursors {
  const macs = secrets.map((secret) => {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'namewright cursor', 32))
    return (id: Buffer, { account, list, filters }: CursorPage) =>
      createHmac('sha256', key)
        .update(id)
        .update(JSON.stringify([account, list, filters]))
        .digest()
        .subarray(0, MAC_BYTES)
  })
  const [macOf] = macs
  if (!macOf) throw new Error('no secret is set for signing')

  return {
    make(page, lastId) {
      const id = Buffer.from(lastId.replaceAll('-', ''), 'hex')
      return Buffer.concat([id, macOf(id, page)]).toString('base64url')
    },
    parse(page, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const id = bytes.subarray(0, ID_BYTES)
      // Buffer decodes base64url leniently, but a cursor must have exactly one spelling.
      const isOurs =
        bytes.length === ID_BYTES + MAC_BYTES &&
        bytes.toString('base64url') === cursor &&
        macs.some((one) => timingSafeEqual(bytes.subarray(ID_BYTES), one(id, page)))
      if (!isOurs) throw new ApiError('invalid_cursor')
      const hex = id.toString('hex')
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
    },
  }
}
