/** The entries of some pages under the days on which they were made, newest first. */
import type { HistoryRecord } from '@namewright/client'
import { useRef } from 'react'
import { useClient } from '../api/client.ts'
import type { Origin } from '../api/history.ts'
import { useText } from '../i18n/i18n.ts'
import { removeLater, useRemoved } from '../ui/removals.ts'
import { focusNeighbour } from '../ui/focus-neighbour.ts'
import { Entry } from './entry.tsx'

export function DayList({
  records,
  origins,
  mayDelete,
  onDeleted,
}: {
  readonly records: readonly HistoryRecord[]
  readonly origins: readonly Origin[]
  readonly mayDelete: boolean
  readonly onDeleted: (id: string) => Promise<void>
}) {
  const { t, language } = useText()
  const client = useClient()
  const removed = useRemoved()
  const list = useRef<HTMLDivElement>(null)
  const days = Map.groupBy(
    records.filter(({ id }) => !removed.has(id)),
    ({ created_at }) => new Date(created_at).toDateString(),
  )
  const remove = (id: string) => {
    focusNeighbour(list.current, `[data-entry="${id}"]`, '[data-entry]')
    removeLater({
      id,
      text: t('history.deleted'),
      backText: t('history.restored'),
      run: async () => {
        await client?.history.delete(id)
        await onDeleted(id)
      },
    })
  }
  return (
    <div ref={list} tabIndex={-1} className="grid gap-10 outline-none">
      {[...days].map(([day, entries]) => (
        <section key={day} className="grid gap-4">
          <h2 className="text-lg font-semibold">{dayText(new Date(day), language)}</h2>
          {entries.map((record) => (
            <Entry
              key={record.id}
              record={record}
              origin={origins.find(({ id }) => id === record.key_id)}
              onDelete={mayDelete ? () => remove(record.id) : undefined}
            />
          ))}
        </section>
      ))}
    </div>
  )
}

/** "today" and "yesterday" in the reader's language, else the day itself. */
function dayText(day: Date, language: string): string {
  const now = new Date()
  const days = Math.round(
    (day.getTime() - new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()) / 86_400_000,
  )
  const locale = language === 'en-XA' ? 'en' : language
  if (days < -1) return new Intl.DateTimeFormat(locale, { dateStyle: 'full' }).format(day)
  const word = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day')
  return word.charAt(0).toLocaleUpperCase(locale) + word.slice(1)
}
