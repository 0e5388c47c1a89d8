/**
 * Checks domains while they are typed: once nobody has typed for a moment, and never two requests at a time. What is
 * found is known to every place that shows one of them (`useVerdict`).
 */
import { useEffect, useState } from 'react'
import { useClient } from '../../api/client.ts'
import { askedCountry, noteVerdicts } from '../actions/recheck.ts'

// Between two keys; who pauses for longer wants to know.
const PAUSE_MS = 400
const DEADLINE_MS = 4_000

/** Whether the answer is still to come. */
export function useExactCheck(domains: readonly string[]): boolean {
  const client = useClient()
  const key = domains.join(' ')
  const [checkedKey, setCheckedKey] = useState('')
  useEffect(() => {
    if (!client) return
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      const body = { domains: key.split(' '), verify: 'full', deadline_ms: DEADLINE_MS, ...askedCountry() } as const
      // Without an answer nothing is known, and that is what the list says.
      const checked = await client.check(body, { signal: abort.signal }).catch(() => [])
      if (abort.signal.aborted) return
      noteVerdicts(checked)
      setCheckedKey(key)
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [client, key])
  return checkedKey !== key
}
