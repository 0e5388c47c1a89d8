/**
 * /r/{code}, and /s/{token} of earlier versions: the naming room. Everyone with the link votes, without an account, and sees
 * the votes of all as they are given.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { isErrorCode } from 'namewright'
import { ballotQuery, pickName } from '../api/shares.ts'
import type { Ballot } from '../api/shares.ts'
import { ShareLink } from '../favorites/share-link.tsx'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { CommentForm } from '../share/comment-form.tsx'
import { Comments } from '../share/comments.tsx'
import { Deck } from '../share/deck.tsx'
import { FurtherNames } from '../share/further-names.tsx'
import { Picked } from '../share/picked.tsx'
import { Ranking } from '../share/ranking.tsx'
import { useRoom } from '../share/use-room.ts'
import { useVotes } from '../share/use-votes.ts'
import { VoterName } from '../share/voter-name.tsx'
import { useVoter } from '../share/voter.ts'
import { Fault, faultText } from '../ui/fault.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Badge, Empty, PageTitle, Section, Skeleton } from '../ui/layout.tsx'
import { showToast } from '../ui/toast.tsx'

export default function RoomPage() {
  const { t } = useText()
  const { token = '' } = useParams({ strict: false })
  const { ballot, isLive } = useRoom(token)
  // A room that has ended while it was open is gone, too.
  const isGone = isErrorCode(ballot.error, 'not_found')
  return (
    <>
      {/* Only for those who were given the link. */}
      <meta name="robots" content="noindex" />
      {ballot.data && !isGone ? (
        <Room token={token} ballot={ballot.data} isLive={isLive} />
      ) : ballot.isPending ? (
        <Waiting />
      ) : isGone ? (
        <>
          <PageTitle>{t('share.goneTitle')}</PageTitle>
          <Empty icon="link" title={t('share.gone')}>
            {t('share.goneText')}
          </Empty>
        </>
      ) : (
        <Fault error={ballot.error} onRetry={() => void ballot.refetch()} />
      )}
    </>
  )
}

function Room({
  token,
  ballot,
  isLive,
}: {
  readonly token: string
  readonly ballot: Ballot
  readonly isLive: boolean
}) {
  const { t } = useText()
  const format = useFormat()
  const vote = useVotes(token)
  const pick = usePick(token)
  const { share, mine, is_host: isHost } = ballot
  const picked = share.items.find(({ id }) => id === share.picked)
  return (
    <div className="grid grid-cols-1 gap-8">
      <div>
        <PageTitle
          actions={
            <div className="flex items-center gap-3">
              <Badge tone={isLive ? 'free' : 'unknown'}>{t(isLive ? 'room.live' : 'room.notLive')}</Badge>
              <CopyButton text={location.href} label={t('favorites.copyLink')} />
            </div>
          }
        >
          {share.title}
        </PageTitle>
        <p className="-mt-4 max-w-[40rem] text-lg">{t('room.intro')}</p>
        <p className="mt-1 flex flex-wrap gap-x-4 text-faint">
          <span role="status">{t('share.voters', { count: share.voters })}</span>
          <span>{t('share.openUntil', { date: format.dateTime(share.expires_at) })}</span>
        </p>
      </div>
      {picked && <Picked item={picked} onUndo={isHost ? () => pick(null) : undefined} />}
      <div className="mx-auto grid w-full max-w-[36rem] grid-cols-1 gap-6">
        <Deck ballot={ballot} onVote={vote} />
        <FurtherNames token={token} ballot={ballot} />
      </div>
      <Section title={t('room.ranking')} description={t('room.rankingText')}>
        <Ranking ballot={ballot} onVote={vote} onPick={pick} />
      </Section>
      <Section title={t('room.invite')} description={t('room.inviteText')}>
        <ShareLink url={location.href} />
        <VoterName token={token} hasVoted={Object.keys(mine).length > 0} />
      </Section>
      <Section title={t('share.comments')} description={t('share.commentsText')}>
        {share.comments.length > 0 && <Comments share={share} />}
        <CommentForm token={token} items={share.items} />
      </Section>
    </div>
  )
}

function usePick(token: string): (item: string | null) => void {
  const queries = useQueryClient()
  const voter = useVoter()
  const picking = useMutation({
    mutationFn: (item: string | null) => pickName(token, voter.id, item),
    onSuccess: (after) => {
      queries.setQueryData(ballotQuery(token, voter.id).queryKey, after)
      scrollTo({ top: 0 })
    },
    onError: (error) => showToast({ kind: 'failed', text: faultText(error) }),
  })
  return (item) => picking.mutate(item)
}

function Waiting() {
  return (
    <div aria-busy="true" className="grid gap-4">
      <Skeleton className="h-9 w-72" />
      <Skeleton className="h-5 w-96 max-w-full" />
      <Skeleton className="mx-auto mt-6 h-56 w-full max-w-[36rem] rounded-lg" />
    </div>
  )
}
