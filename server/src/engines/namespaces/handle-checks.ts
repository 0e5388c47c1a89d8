/**
 * Checks the names of one generate request in all namespaces, while the request is still looking for further names.
 *
 * The first twenty names are looked up, as many as POST /v1/names/check takes. Further names get what the caches have,
 * and are otherwise `not_asked`. What has no finding when the request ends is `unknown`, so the checks never make a
 * request longer than its deadline.
 */
import { NAMESPACE_GROUPS } from '../../model/namespace-verdict.ts'
import type { NameHandles, NamespaceVerdict } from '../../model/namespace-verdict.ts'
import type { NamespaceCheck, Namespaces } from './namespaces.ts'

/** Each causes at most eleven outside requests. */
export const MAX_HANDLE_NAMES = 20

export interface HandleChecks {
  /** Calls `onHandles` with the index of a label when all namespaces have a verdict. Never rejects. */
  check(labels: readonly string[], onHandles: (index: number, handles: NameHandles) => void): Promise<void>
}

export interface HandleChecksOptions extends Pick<NamespaceCheck, 'fresh' | 'fairnessKey' | 'signal'> {
  readonly namespaces: Pick<Namespaces, 'check'>
  /** When the request ends. */
  readonly endsAt: number
  readonly now: () => number
}

export function createHandleChecks({ namespaces, endsAt, now, ...options }: HandleChecksOptions): HandleChecks {
  let remaining = MAX_HANDLE_NAMES

  return {
    async check(labels, onHandles) {
      const found = labels.map((): Partial<Record<keyof NameHandles, readonly NamespaceVerdict[]>> => ({}))
      const deadlineMs = Math.max(0, endsAt - now())
      const asked = labels.slice(0, remaining)
      remaining -= asked.length
      const parts = [
        { labels: asked, first: 0, isCacheOnly: false },
        { labels: labels.slice(asked.length), first: asked.length, isCacheOnly: true },
      ].filter((part) => part.labels.length > 0)
      await Promise.all(
        parts.flatMap((part) =>
          NAMESPACE_GROUPS.map((group) =>
            namespaces.check(part.labels, {
              ...options,
              groups: [group],
              deadlineMs,
              isCacheOnly: part.isCacheOnly,
              onVerdicts: (index, verdicts) => note(part.first + index, group, verdicts),
            }),
          ),
        ),
      )

      function note(index: number, group: keyof NameHandles, verdicts: readonly NamespaceVerdict[]): void {
        const { packages, code } = Object.assign(found[index] ?? {}, { [group]: verdicts })
        if (packages && code) onHandles(index, { packages, code })
      }
    },
  }
}
