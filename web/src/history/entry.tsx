/** One search of the past: what was asked, how, through what, and what came of it. */
import { Link } from '@tanstack/react-router'
import type { HistoryRecord } from '@namewright/client'
import { useId, useState } from 'react'
import type { Origin } from '../api/history.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { Button, buttonClass, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { againOf } from './again.ts'
import { AllNames, FIRST, FirstNames } from './names-then.tsx'
import { optionTexts } from './options.ts'

export function Entry({
  record,
  origin,
  onDelete,
}: {
  readonly record: HistoryRecord
  readonly origin: Origin | undefined
  /** Undefined for viewers. */
  readonly onDelete: (() => void) | undefined
}) {
  const { t, language } = useText()
  const format = useFormat()
  const [open, setOpen] = useState(false)
  const id = useId()
  const { suggestions } = record
  const options = optionTexts(record.options, { t, format, language })
  const facts = [
    format.languageName(record.language),
    t('history.names', { count: suggestions.length }),
    origin && (origin.isWeb ? t('history.madeHere') : t('history.madeBy', { name: origin.name })),
  ].filter((fact) => fact !== undefined)
  return (
    <article
      aria-labelledby={`${id}-title`}
      data-entry={record.id}
      tabIndex={-1}
      className="grid gap-4 rounded-lg border border-line bg-card p-5 shadow-card"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <h3 id={`${id}-title`} className="line-clamp-4 font-sans text-base font-semibold">
            <bdi>{record.description}</bdi>
          </h3>
          <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-faint">
            <time dateTime={record.created_at} title={format.dateTime(record.created_at)}>
              {format.ago(record.created_at)}
            </time>
            {facts.map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </p>
        </div>
        <div className="flex items-center gap-1">
          <Link to="/" search={againOf(record)} className={buttonClass('plain', true)}>
            <Icon name="refresh" size={16} />
            {t('history.again')}
          </Link>
          {onDelete && <IconButton icon="trash" label={t('history.delete')} onClick={onDelete} />}
        </div>
      </div>
      {options.length > 0 && (
        <ul aria-label={t('history.options')} className="flex flex-wrap gap-x-2 gap-y-1.5 text-sm">
          {options.map((option) => (
            <li key={option} className="rounded-full border border-line px-2.5 py-0.5 text-faint">
              {option}
            </li>
          ))}
        </ul>
      )}
      {suggestions.length === 0 ? (
        <p className="text-faint">{t('history.noNames')}</p>
      ) : (
        <>
          {!open && <FirstNames suggestions={suggestions} />}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button
              kind="quiet"
              small
              icon="down"
              aria-expanded={open}
              aria-controls={`${id}-names`}
              onClick={() => setOpen(!open)}
              className="-ms-3"
            >
              {open
                ? t('history.fewer')
                : suggestions.length > FIRST
                  ? t('history.showAll', { count: suggestions.length })
                  : t('history.details')}
            </Button>
            <p className="text-sm text-faint">{t('history.asOf', { when: format.dateTime(record.created_at) })}</p>
          </div>
          <div id={`${id}-names`} hidden={!open}>
            {open && <AllNames suggestions={suggestions} />}
          </div>
        </>
      )}
    </article>
  )
}
