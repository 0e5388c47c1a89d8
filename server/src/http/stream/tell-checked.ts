/** The events of POST /v1/domains/check: `domain` for each input, by its place, when there is a verdict or a new one. */
import type { Checked } from '../../check-domains.ts'
import { checkedEntry } from '../../wire/texts.ts'
import { markOf } from './teller.ts'
import type { Teller } from './teller.ts'

export function createCheckedTeller(): Teller<[index: number, checked: Checked]> {
  /** Of what was told, a mark: the text of a thousand domains is half a megabyte. */
  const told = new Map<number, string>()
  const news = new Map<number, Checked>()
  return {
    hear: (index, checked) => void news.set(index, checked),
    *changes() {
      for (const [index, checked] of news) {
        news.delete(index)
        const domain = JSON.stringify(checkedEntry(checked))
        if (told.get(index) === markOf(domain)) continue
        told.set(index, markOf(domain))
        yield { event: 'domain', data: `{"index":${index},"domain":${domain}}` }
      }
    },
    // Every input has its place and is never taken back.
    settle() {},
    recall({ event, data }) {
      if (event !== 'domain') return
      const { index, domain } = JSON.parse(data) as { index: number; domain: object }
      told.set(index, markOf(JSON.stringify(domain)))
    },
  }
}
