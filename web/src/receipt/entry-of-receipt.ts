/** A domain of a receipt as the rest of the app knows domains. */
import type { DomainEntry } from 'namewright'
import type { ConfirmedDomain } from '../api/receipts.ts'
import { stateOf } from '../search/result.ts'
import type { CellState } from '../search/result.ts'

export function entryOfReceipt(one: ConfirmedDomain): DomainEntry {
  const { domain, available, status, confidence, sources, checked_at, offers } = one
  const [pricing] = offers
  return {
    domain,
    available,
    price: '',
    status,
    confidence,
    sources: [...sources],
    checked_at,
    ...(pricing ? { pricing } : {}),
  }
}

export const receiptStateOf = (one: ConfirmedDomain): CellState => stateOf(entryOfReceipt(one))
