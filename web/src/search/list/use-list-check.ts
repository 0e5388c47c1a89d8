/**
 * Checks a list in batches, one after the other, so that rows fill from the top and a stop costs nothing more. What has been
 * checked is never asked for again, also when the list in the field grows; a batch that fails names the reason in its rows.
 */
import type { CheckedDomain } from '@namewright/client'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useClient } from '../../api/client.ts'
import { noteVerdicts } from '../actions/recheck.ts'

const BATCH = 25
// As long as somebody may still be writing.
const PAUSE_MS = 500
const DEADLINE_MS = 8_000

export type RowState =
  | { readonly kind: 'waiting' | 'checking' }
  | { readonly kind: 'checked'; readonly checked: CheckedDomain }
  | { readonly kind: 'failed'; readonly error: unknown }

export interface ListCheck {
  readonly rows: ReadonlyMap<string, RowState>
  /** How many have an answer, or the reason why there is none. */
  readonly done: number
  readonly isRunning: boolean
  readonly stop: () => void
  /** Goes on after a stop, and asks once more for what failed or is unknown. */
  readonly goOn: () => void
}

const WAITING: RowState = { kind: 'waiting' }

export function useListCheck(domains: readonly string[]): ListCheck {
  const client = useClient()
  const key = domains.join(' ')
  const [known, setKnown] = useState<ReadonlyMap<string, RowState>>(new Map())
  // Of which list it is, so that a new one begins by itself.
  const [run, setRun] = useState({ turn: 0, stopped: '', ended: '' })
  const isRunning = run.ended !== key && run.stopped !== key
  const rows = useMemo(
    () => new Map(key.split(' ').map((domain) => [domain, known.get(domain) ?? WAITING] as const)),
    [key, known],
  )
  const note = (batch: readonly string[], stateOf: (index: number) => RowState) =>
    setKnown((all) => new Map([...all, ...batch.map((domain, index) => [domain, stateOf(index)] as const)]))
  const openRows = useEffectEvent(() =>
    [...rows].filter(([, { kind }]) => kind !== 'checked').map(([domain]) => domain),
  )

  useEffect(() => {
    if (!client || !isRunning) return
    const abort = new AbortController()
    const { signal } = abort
    const timer = setTimeout(async () => {
      for (const batch of batchesOf(openRows())) {
        note(batch, () => ({ kind: 'checking' }))
        try {
          const checked = await client.check({ domains: batch, deadline_ms: DEADLINE_MS }, { signal })
          noteVerdicts(checked)
          note(batch, (index) => checkedOf(checked[index]))
        } catch (error) {
          note(batch, () => (signal.aborted ? WAITING : { kind: 'failed', error }))
          if (signal.aborted) return
        }
      }
      setRun((now) => ({ ...now, ended: key }))
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [client, key, isRunning, run.turn])

  const states = [...rows.values()]
  return {
    rows,
    done: states.filter(({ kind }) => kind === 'checked' || kind === 'failed').length,
    isRunning,
    stop: () => setRun((now) => ({ ...now, stopped: key })),
    goOn() {
      // Nothing was found out of these.
      setKnown(
        (all) => new Map([...all].filter(([, row]) => row.kind === 'checked' && row.checked.status !== 'unknown')),
      )
      setRun(({ turn }) => ({ turn: turn + 1, stopped: '', ended: '' }))
    },
  }
}

function checkedOf(checked: CheckedDomain | undefined): RowState {
  return checked ? { kind: 'checked', checked } : WAITING
}

function* batchesOf(domains: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < domains.length; from += BATCH) yield domains.slice(from, from + BATCH)
}
