/** The domains of a pasted list, checked one batch after the other: how far it is, what came of it, and what can be done. */
import { useEffect } from 'react'
import { useClient } from '../../api/client.ts'
import { dotted, useFormat } from '../../i18n/format.ts'
import { say, useText } from '../../i18n/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { VisitorsNote } from '../states/visitors-note.tsx'
import { stateOf } from '../result.ts'
import type { CellState } from '../result.ts'
import { ListExport } from './list-export.tsx'
import { entryOf, ListRow, OtherLines } from './list-row.tsx'
import { MOST_LISTED } from './pasted-list.ts'
import type { PastedList } from './pasted-list.ts'
import { useListCheck } from './use-list-check.ts'
import type { ListCheck, RowState } from './use-list-check.ts'

export default function CheckedList({
  list: { domains, hasWords, left, others },
  suffixes,
  onDescribe,
}: {
  readonly list: PastedList
  /** What words are checked under. */
  readonly suffixes: readonly string[]
  /** It was meant as a description. */
  readonly onDescribe: () => void
}) {
  const { t } = useText()
  const format = useFormat()
  const client = useClient()
  const check = useListCheck(domains)
  const { rows, done, isRunning } = check
  const total = rows.size
  const counts = countsOf(rows)
  useEffect(() => {
    if (isRunning && done > 0) announce(say('list.soFar', { done, total }))
  }, [isRunning, done, total])
  const summary = t('list.summary', counts)
  useEffect(() => {
    if (!isRunning && done > 0) announce(summary)
  }, [isRunning, done, summary])
  if (!client) return <VisitorsNote />
  const canGoOn = !isRunning && (done < total || [...rows.values()].some(isOpen))
  return (
    <section aria-labelledby="list" aria-busy={isRunning} className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="list" tabIndex={-1} className="me-auto text-xl font-semibold outline-none">
          {t('list.title', { count: total })}
        </h2>
        {isRunning ? (
          <Button small icon="close" onClick={check.stop}>
            {t('list.stop')}
          </Button>
        ) : (
          canGoOn && (
            <Button small icon="refresh" onClick={check.goOn}>
              {t(done < total ? 'list.goOn' : 'search.checkAgain')}
            </Button>
          )
        )}
        <ListExport rows={rows} />
      </div>
      <div
        role="progressbar"
        aria-label={t('list.progress')}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        className="h-1 overflow-hidden rounded-full bg-line"
      >
        <div
          className="h-full w-full origin-[0_50%] bg-accent transition-transform duration-200 rtl:origin-[100%_50%]"
          style={{ transform: `scaleX(${done / total})` }}
        />
      </div>
      <p className="min-h-6 text-sm text-faint tabular-nums">
        {isRunning || done < total ? t('list.soFar', { done, total }) : summary}
      </p>
      {(hasWords || left > 0) && (
        <p className="text-sm text-faint">
          {hasWords && t('list.words', { suffixes: format.list(suffixes.map(dotted)) })}{' '}
          {left > 0 && t('list.left', { most: MOST_LISTED, count: left })}
        </p>
      )}
      <ul className="divide-y divide-line rounded-lg border border-line bg-card">
        {[...rows].map(([domain, row]) => (
          <ListRow key={domain} domain={domain} row={row} />
        ))}
        <OtherLines lines={others} />
      </ul>
      <p>
        <Button kind="quiet" small onClick={onDescribe}>
          {t('list.describe')}
        </Button>
      </p>
    </section>
  )
}

type Counts = Record<'free' | 'premium' | 'taken' | 'unknown', number>

/** What failed or was refused is not known. */
function countsOf(rows: ListCheck['rows']): Counts {
  const counts: Record<CellState, number> = { free: 0, premium: 0, taken: 0, sale: 0, unknown: 0 }
  for (const row of rows.values()) {
    if (row.kind === 'failed') counts.unknown++
    else if (row.kind === 'checked') counts[isRefused(row.checked.status) ? 'unknown' : stateOf(entryOf(row.checked))]++
  }
  const { free, premium, taken, sale, unknown } = counts
  return { free, premium, taken: taken + sale, unknown }
}

/** Another try may find it out. */
const isOpen = (row: RowState) => row.kind === 'failed' || (row.kind === 'checked' && row.checked.status === 'unknown')

const isRefused = (status: string) => status === 'invalid' || status === 'unsupported'
