/**
 * Where the next page begins, as a text that only we can write.
 *
 * A cursor is the last id of a page and a MAC over it, the account, the list and its filters: one that was altered,
 * guessed, taken from another account or used with other filters is refused, never half obeyed.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../errors.ts'
import type { AccountId } from '../model/caller.ts'

export interface Cursors {
  make(page: Page, lastId: string): string
  /** Fails with invalid_cursor. */
  parse(page: Page, cursor: string): string
}

/** What a cursor is bound to. */
export interface Page {
  readonly account: AccountId
  readonly list: string
  readonly filters: unknown
}

const ID_BYTES = 16
const MAC_BYTES = 16

export function createCursors(secret: string): Cursors {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'namewright cursor', 32))
  const macOf = (id: Buffer, { account, list, filters }: Page) =>
    createHmac('sha256', key)
      .update(id)
      .update(JSON.stringify([account, list, filters]))
      .digest()
      .subarray(0, MAC_BYTES)

  return {
    make(page, lastId) {
      const id = Buffer.from(lastId.replaceAll('-', ''), 'hex')
      return Buffer.concat([id, macOf(id, page)]).toString('base64url')
    },
    parse(page, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const id = bytes.subarray(0, ID_BYTES)
      // Buffer reads base64url generously; a cursor has one spelling.
      const isOurs =
        bytes.length === ID_BYTES + MAC_BYTES &&
        bytes.toString('base64url') === cursor &&
        timingSafeEqual(bytes.subarray(ID_BYTES), macOf(id, page))
      if (!isOurs) throw new ApiError('invalid_cursor')
      const hex = id.toString('hex')
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
    },
  }
}
