/**
 * Replies that came after their request had ended, for the next request about the same.
 *
 * Stored per account under a hash of the description and language, with an end that the operator sets; only names,
 * and their reasons, are stored. Off unless the operator sets that time.
 */
import { hash } from 'node:crypto'
import type { NameProposal } from '@namewright/names'
import type { GenerateRequest } from '../../model/generate-request.ts'
import type { Cache } from '../../platform/cache/cache.ts'

export interface LateReplies {
  readonly isOn: boolean
  take(account: string, request: GenerateRequest): Promise<readonly NameProposal[]>
  store(account: string, request: GenerateRequest, proposals: readonly NameProposal[]): Promise<void>
}

export function createLateReplies(cache: Pick<Cache, 'getMany' | 'setMany'>, storeMs: number): LateReplies {
  return {
    isOn: storeMs > 0,
    async take(account, ask) {
      if (storeMs === 0) return []
      const [stored] = await cache.getMany([keyOf(account, ask)])
      return stored == null ? [] : (JSON.parse(stored) as NameProposal[])
    },
    async store(account, ask, proposals) {
      if (storeMs === 0 || proposals.length === 0) return
      await cache.setMany([{ key: keyOf(account, ask), value: JSON.stringify(proposals), ttlMs: storeMs }])
    },
  }
}

/** The same for descriptions that differ in case, spaces or punctuation only. */
function keyOf(account: string, { names, language, include }: GenerateRequest): string {
  const words =
    names.description
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const parts = [account, words.join(' '), names.language ?? '', include.includes('rationale') ? language : '']
  return `model-reply:${hash('sha256', JSON.stringify(parts))}`
}
