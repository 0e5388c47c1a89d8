/**
 * Names of a pasted list as candidates: those that satisfy the search become tiles, and all others say why not, with a
 * variant that can be registered. Nothing is sent before a press, because each suggestion is charged.
 */
import { useQuery } from '@tanstack/react-query'
import type { Rejected } from '@namewright/client'
import { useEffect } from 'react'
import { useClient } from '../../api/client.ts'
import { useAccount } from '../../api/session.ts'
import { say, useText } from '../../i18n/i18n.ts'
import type { TextId } from '../../i18n/i18n.ts'
import { usePreferences } from '../../preferences.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Ltr } from '../../ui/layout.tsx'
import { changed, COUNT_MAX, DESCRIPTION_MAX, textOf } from '../asked.ts'
import type { Asked } from '../asked.ts'
import { ExportMenu } from '../export/export-menu.tsx'
import { RegisterMenu } from '../register/register-menu.tsx'
import { requestOf } from '../request-of.ts'
import { Cards } from '../results/cards.tsx'
import { Failure } from '../states/failure.tsx'
import { VisitorsNote } from '../states/visitors-note.tsx'
import { OtherLines } from './list-row.tsx'

const PLACES = 9

const REASONS = {
  taken: 'search.stateTaken',
  premium: 'search.statePremium',
  reserved: 'search.verdictReserved',
  restricted: 'search.verdictRestricted',
  too_expensive: 'list.tooExpensive',
  unsafe: 'list.unsafe',
  famous: 'list.famous',
  excluded: 'list.excluded',
  duplicate: 'list.duplicate',
  invalid: 'list.invalid',
  unknown: 'search.stateUnknown',
  not_checked: 'list.notChecked',
} as const satisfies Record<Rejected['reason'], TextId>

export default function Candidates({
  names,
  others,
  suffixes,
  asked,
  isSent,
  onSend,
  onDescribe,
  onChange,
}: {
  readonly names: readonly string[]
  /** Lines that are no names. */
  readonly others: readonly string[]
  /** At most five; none for those of the service. */
  readonly suffixes: readonly string[]
  readonly asked: Asked
  readonly isSent: boolean
  readonly onSend: () => void
  /** It was meant as a description. */
  readonly onDescribe: () => void
  readonly onChange: (asked: Asked) => void
}) {
  const { t } = useText()
  const client = useClient()
  const account = useAccount()?.id
  const { currency } = usePreferences()
  const candidates = names.slice(0, COUNT_MAX)
  const known = asked.d?.trim() ?? ''
  const description = known === '' ? candidates.join(', ').slice(0, DESCRIPTION_MAX) : known
  const request = {
    ...requestOf(changed(asked, { tlds: textOf(suffixes), past: undefined }), description, currency || undefined),
    count: candidates.length,
    candidates,
  }
  const found = useQuery({
    queryKey: ['candidates', account, request],
    queryFn: async ({ signal }) => (client ? client.generate(request, { signal }) : null),
    enabled: isSent && client !== undefined,
    retry: false,
    staleTime: Infinity,
  })
  const suggestions = found.data?.suggestions ?? []
  const rejected = found.data?.rejected ?? []
  const count = suggestions.length
  useEffect(() => {
    if (found.isSuccess) announce(say('list.suggested', { count }))
  }, [found.isSuccess, count])
  if (!client) return <VisitorsNote />
  const missing = found.isFetching ? Math.min(PLACES, candidates.length) : 0
  const tooMany = found.data ? names.slice(COUNT_MAX) : []
  return (
    <section aria-labelledby="list" aria-busy={found.isFetching} className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="list" tabIndex={-1} className="me-auto text-xl font-semibold outline-none">
          {found.data ? t('list.suggested', { count }) : t('list.names', { count: names.length })}
        </h2>
        {!isSent && (
          <Button kind="main" onClick={onSend}>
            {t('list.checkNames')}
          </Button>
        )}
        {count > 0 && <ExportMenu results={suggestions} asked={asked} />}
      </div>
      {found.isError && <Failure error={found.error} hasNames={false} onRetry={() => void found.refetch()} />}
      {(count > 0 || missing > 0) && (
        <Cards
          results={suggestions}
          missing={missing}
          beside={undefined}
          isLive={false}
          language={asked.language}
          onSteer={(name, towards) => onChange(changed(asked, { d: description, [towards ? 'like' : 'unlike']: name }))}
          onLock={(word) => onChange(changed(asked, { d: description, with: word }))}
        />
      )}
      {rejected.length + tooMany.length > 0 && (
        <ul aria-label={t('list.rejected')} className="divide-y divide-line rounded-lg border border-line bg-card">
          {rejected.map((one) => (
            <RejectedRow key={one.name} rejected={one} />
          ))}
          {tooMany.map((name) => (
            <RejectedRow key={name} rejected={{ name, reason: 'not_checked' }} />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-card">
          <OtherLines lines={others} />
        </ul>
      )}
      <p>
        <Button kind="quiet" small onClick={onDescribe}>
          {t('list.describe')}
        </Button>
      </p>
    </section>
  )
}

function RejectedRow({ rejected: { name, reason, nearest } }: { readonly rejected: Rejected }) {
  const { t } = useText()
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5">
      <bdi translate="no" className="min-w-0 font-semibold">
        {name}
      </bdi>
      <span className="me-auto text-sm text-faint">{t(REASONS[reason])}</span>
      {nearest && (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <span>
            {t('list.nearest')} <Ltr className="font-mono font-semibold">{nearest.domain}</Ltr>
          </span>
          <RegisterMenu domain={nearest} />
        </span>
      )}
    </li>
  )
}
