/**
 * Pagination cursors: the start of the next page, as a signed text.
 *
 * A cursor is the last id of a page and a MAC over it, the account, the list and its filters. One that was altered,
 * guessed, taken from another account or used with other filters is refused.
 */
import { ApiError } from '../model/errors.ts'
import type { AccountId } from '../model/caller.ts'
import { uuidOf } from '../model/id.ts'
import { createSigner, findBytes } from '../platform/signer.ts'

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

export function createCursors(secrets: readonly string[]): Cursors {
  const signer = createSigner(secrets, { purpose: 'namewright cursor', macBytes: MAC_BYTES })
  const textOf = ({ account, list, filters }: CursorPage) => JSON.stringify([account, list, filters])

  return {
    make(page, lastId) {
      const id = Buffer.from(lastId.replaceAll('-', ''), 'hex')
      return Buffer.concat([id, signer.sign(id, textOf(page))]).toString('base64url')
    },
    parse(page, cursor) {
      const bytes = findBytes(cursor)
      const id = bytes?.subarray(0, ID_BYTES)
      if (!bytes || !id || !signer.isSigned(bytes.subarray(ID_BYTES), id, textOf(page)))
        throw new ApiError('invalid_cursor')
      return uuidOf(id)
    },
  }
}
