/** One name to vote on, as large as it deserves. */
import { useId } from 'react'
import type { ShareItem, Vote } from '../api/shares.ts'
import { knownStateOf, StateBadge } from '../favorites/state-badge.tsx'
import { useText } from '../i18n/i18n.ts'
import { Icon } from '../ui/icon.tsx'
import { Ltr } from '../ui/layout.tsx'
import { VoteBar } from './vote-bar.tsx'

const THUMB =
  'inline-flex min-h-12 items-center justify-center gap-2 rounded-md border px-2 font-medium transition-colors duration-150'
const PRESSED = {
  up: 'border-free bg-free-soft text-free outline-1 outline-free',
  down: 'border-ink bg-taken-soft text-ink outline-1 outline-ink',
} as const

export function BallotCard({
  item,
  mine,
  showsVotes,
  onVote,
}: {
  readonly item: ShareItem
  readonly mine: Vote | undefined
  /** Only those who have voted see how others have. */
  readonly showsVotes: boolean
  readonly onVote: (vote: Vote | null) => void
}) {
  const { t } = useText()
  const id = useId()
  const thumb = (vote: Vote) => (
    <button
      type="button"
      aria-pressed={mine === vote}
      onClick={() => onVote(mine === vote ? null : vote)}
      className={`${THUMB} ${mine === vote ? PRESSED[vote] : 'border-edge bg-card hover:bg-sunken'}`}
    >
      <Icon name={vote === 'up' ? 'like' : 'unlike'} filled={mine === vote} />
      {t(vote === 'up' ? 'share.like' : 'share.dislike')}
    </button>
  )
  return (
    <article
      aria-labelledby={id}
      className="flex flex-col gap-4 rounded-lg border border-line bg-card p-5 shadow-card sm:p-6"
    >
      <div>
        <h2 id={id} className="text-3xl font-semibold sm:text-4xl">
          <Ltr>{item.name}</Ltr>
        </h2>
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
          <Ltr className="font-mono">{item.domain}</Ltr>
          <StateBadge state={knownStateOf(item)} />
          {item.price !== null && <Ltr className="text-faint tabular-nums">{item.price}</Ltr>}
        </p>
      </div>
      {item.note !== null && item.note !== '' && (
        <p className="border-s-2 border-line ps-3 whitespace-pre-line text-faint">
          <bdi>{item.note}</bdi>
        </p>
      )}
      <div role="group" aria-labelledby={id} className="mt-auto grid grid-cols-2 gap-3">
        {thumb('up')}
        {thumb('down')}
      </div>
      {showsVotes && <VoteBar {...item.votes} />}
    </article>
  )
}
