/** The events of POST /v1/domains/check: `domain` with the index of its input, for each first or changed verdict. */
import type { Checked } from './check-domains.ts'
import { checkedEntry } from '../../http/wire/texts.ts'
import { markOf } from '../../http/stream/stream-encoder.ts'
import type { StreamEncoder } from '../../http/stream/stream-encoder.ts'

export function createCheckedEncoder(include: readonly string[]): StreamEncoder<[index: number, checked: Checked]> {
  /** A hash of each event that was sent, because the text of a thousand domains is half a megabyte. */
  const sent = new Map<number, string>()
  const updates = new Map<number, Checked>()
  return {
    update: (index, checked) => void updates.set(index, checked),
    *changes() {
      for (const [index, checked] of updates) {
        updates.delete(index)
        const domain = JSON.stringify(checkedEntry(checked, include))
        if (sent.get(index) === markOf(domain)) continue
        sent.set(index, markOf(domain))
        yield { event: 'domain', data: `{"index":${index},"domain":${domain}}` }
      }
    },
  }
}
