/** All names of the list in the order of their votes. One's own votes can be changed here. */
import { useId } from 'react'
import type { Ballot, ShareItem, Vote } from '../api/shares.ts'
import { useText } from '../i18n/i18n.ts'
import { IconButton } from '../ui/button.tsx'
import { Badge, Ltr } from '../ui/layout.tsx'
import { DomainLine } from './name-face.tsx'
import { isMatch, ranked } from './standing.ts'
import { VoteBar } from './vote-bar.tsx'

interface RankingProps {
  readonly ballot: Ballot
  readonly onVote: (item: string, vote: Vote | null) => void
}

export function Ranking({ ballot, onVote }: RankingProps) {
  const { t } = useText()
  return (
    <ol aria-label={t('share.ranking')} className="grid gap-3">
      {ranked(ballot.share.items).map((item, at) => (
        <Row key={item.id} item={item} place={at + 1} ballot={ballot} onVote={onVote} />
      ))}
    </ol>
  )
}

function Row({
  item,
  place,
  ballot: { share, mine },
  onVote,
}: RankingProps & { readonly item: ShareItem; readonly place: number }) {
  const { t } = useText()
  const id = useId()
  const vote = mine[item.id]
  const thumb = (way: Vote) => (
    <IconButton
      icon={way === 'up' ? 'heart' : 'close'}
      label={t(way === 'up' ? 'share.like' : 'share.dislike')}
      aria-describedby={id}
      aria-pressed={vote === way}
      filled={way === 'up' && vote === way}
      className="size-11"
      onClick={() => onVote(item.id, vote === way ? null : way)}
    />
  )
  return (
    <li className="grid gap-3 rounded-lg border border-line bg-card p-4 sm:grid-cols-[2rem_minmax(0,1fr)_12rem_auto] sm:items-center">
      <span aria-hidden="true" className="font-display text-xl font-semibold text-faint tabular-nums max-sm:hidden">
        {place}
      </span>
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Ltr className="font-display text-xl font-semibold">
            <span id={id}>{item.name}</span>
          </Ltr>
          {isMatch(item, share.voters) && <Badge tone="accent">{t('share.match')}</Badge>}
        </p>
        <DomainLine item={item} className="text-sm" />
      </div>
      <VoteBar {...item.votes} />
      <div className="flex items-center justify-end gap-1">
        {thumb('down')}
        {thumb('up')}
      </div>
    </li>
  )
}
