/**
 * Checks domains while they are typed: once nobody has typed for a moment, and a new request ends the one before. What is
 * found is known to every place that shows one of them (`useVerdict`).
 */
import { useEffect, useRef, useState } from 'react'
import { useClient } from '../../api/client.ts'
import { askedCountry, noteVerdicts } from '../actions/recheck.ts'
import { GAPS, pauseAfter } from './typed-domains.ts'

const DEADLINE_MS = 4_000

/** Whether the answer is still to come. */
export function useExactCheck(domains: readonly string[]): boolean {
  const client = useClient()
  const key = domains.join(' ')
  const [checkedKey, setCheckedKey] = useState('')
  const typing = useRef({ at: -Infinity, gaps: [] as readonly number[] })
  useEffect(() => {
    const at = performance.now()
    typing.current = { at, gaps: [...typing.current.gaps, at - typing.current.at].slice(-GAPS) }
    if (!client) return
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      const body = { domains: key.split(' '), verify: 'full', deadline_ms: DEADLINE_MS, ...askedCountry() } as const
      // Without an answer nothing is known, and that is what the list says.
      const checked = await client.check(body, { signal: abort.signal }).catch(() => [])
      if (abort.signal.aborted) return
      noteVerdicts(checked)
      setCheckedKey(key)
    }, pauseAfter(typing.current.gaps))
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [client, key])
  return checkedKey !== key
}
