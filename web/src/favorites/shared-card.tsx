/** One list that was shared: its link, how the votes stand, and its end. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { isAtLeast, useSession } from '../api/session.ts'
import type { Account } from '../api/session.ts'
import { endShare } from '../api/shares.ts'
import type { OwnShare } from '../api/shares.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { VoteBar } from '../share/vote-bar.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { faultText } from '../ui/fault.tsx'
import { Ltr } from '../ui/layout.tsx'
import { ShareLink } from './share-link.tsx'

export function SharedCard({
  share,
  account,
  onEnded,
}: {
  readonly share: OwnShare
  readonly account: Account
  readonly onEnded: () => void
}) {
  const { t } = useText()
  const format = useFormat()
  const id = useId()
  const queries = useQueryClient()
  const { person } = useSession()
  const [asking, setAsking] = useState(false)
  const ending = useMutation({
    mutationFn: () => endShare(account.id, share.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['shares', account.id] })
      onEnded()
    },
  })
  const hasEnded = Date.parse(share.expires_at) < Date.now()
  const mayEnd =
    isAtLeast(account.role, 'admin') || (isAtLeast(account.role, 'member') && share.created_by === person?.id)
  const best = share.items.toSorted((a, b) => b.votes.up - b.votes.down - (a.votes.up - a.votes.down))
  const date = format.date(share.expires_at)
  return (
    <article
      aria-labelledby={id}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 rounded-lg border border-line bg-card p-5 shadow-card"
    >
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h3 id={id} className="text-lg font-semibold">
            <bdi>{share.title}</bdi>
          </h3>
          {share.message !== null && (
            <p>
              <bdi>{share.message}</bdi>
            </p>
          )}
          <p className="flex flex-wrap gap-x-4 text-sm text-faint">
            <span>{t(hasEnded ? 'favorites.shareEnded' : 'favorites.shareOpen', { date })}</span>
            <span>
              {share.voter_names.length > 0
                ? t('favorites.votersNamed', { count: share.voters, names: format.list(share.voter_names) })
                : t('favorites.voters', { count: share.voters })}
            </span>
          </p>
        </div>
        {mayEnd && (
          <Button small kind="quiet" icon="trash" onClick={() => setAsking(true)}>
            {t(hasEnded ? 'favorites.removeShare' : 'favorites.endShare')}
          </Button>
        )}
      </div>
      {!hasEnded && share.url !== null && <ShareLink url={share.url} />}
      <ul aria-label={t('favorites.votes')} className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {best.map(({ id: item, name, domain, votes }) => (
          <li key={item} className="grid gap-1">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <Ltr className="font-display font-semibold">{name}</Ltr>
              <Ltr className="font-mono text-sm text-faint">{domain}</Ltr>
            </p>
            <VoteBar {...votes} />
          </li>
        ))}
      </ul>
      <Confirm
        open={asking}
        title={t('favorites.endShareTitle')}
        description={t('favorites.endShareText')}
        act={t(hasEnded ? 'favorites.removeShare' : 'favorites.endShare')}
        busy={ending.isPending}
        wrong={ending.isError ? faultText(ending.error) : undefined}
        onConfirm={() => ending.mutate()}
        onClose={() => {
          ending.reset()
          setAsking(false)
        }}
      />
    </article>
  )
}
