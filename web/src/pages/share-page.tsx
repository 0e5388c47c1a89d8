/** /s/{token}: names that somebody wants an opinion on. Everyone with the link can vote, without an account. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { isErrorCode } from 'namewright'
import { ballotQuery } from '../api/shares.ts'
import type { Ballot } from '../api/shares.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { BallotCard } from '../share/ballot-card.tsx'
import { CommentForm } from '../share/comment-form.tsx'
import { Comments } from '../share/comments.tsx'
import { useVotes } from '../share/use-votes.ts'
import { VoterName } from '../share/voter-name.tsx'
import { useVoter } from '../share/voter.ts'
import { Fault } from '../ui/fault.tsx'
import { Empty, PageTitle, Section, Skeleton } from '../ui/layout.tsx'

export default function SharePage() {
  const { t } = useText()
  const { token = '' } = useParams({ strict: false })
  const { id } = useVoter()
  const ballot = useQuery(ballotQuery(token, id))
  return (
    <>
      {/* Only for those who were given the link. */}
      <meta name="robots" content="noindex" />
      {ballot.data ? (
        <OpenBallot token={token} ballot={ballot.data} />
      ) : ballot.isPending ? (
        <Waiting />
      ) : isErrorCode(ballot.error, 'not_found') ? (
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

function OpenBallot({ token, ballot }: { readonly token: string; readonly ballot: Ballot }) {
  const { t } = useText()
  const format = useFormat()
  const vote = useVotes(token)
  const { share, mine } = ballot
  const hasVoted = Object.keys(mine).length > 0
  return (
    <div className="grid gap-10">
      <div>
        <PageTitle>{share.title}</PageTitle>
        <p className="-mt-4 max-w-[40rem] text-lg">{t('share.intro')}</p>
        <p className="mt-1 text-faint">{t('share.openUntil', { date: format.dateTime(share.expires_at) })}</p>
      </div>
      <VoterName token={token} hasVoted={hasVoted} />
      <div className="grid gap-4">
        <p role="status" className="text-faint">
          {hasVoted ? t('share.voters', { count: share.voters }) : t('share.beforeVoting')}
        </p>
        <ul className="grid gap-4 md:grid-cols-2">
          {share.items.map((item) => (
            <li key={item.id} className="grid">
              <BallotCard
                item={item}
                mine={mine[item.id]}
                showsVotes={hasVoted}
                onVote={(given) => vote(item.id, given)}
              />
            </li>
          ))}
        </ul>
      </div>
      <Section title={t('share.comments')} description={t('share.commentsText')}>
        {share.comments.length > 0 && <Comments share={share} />}
        <CommentForm token={token} items={share.items} />
      </Section>
    </div>
  )
}

function Waiting() {
  return (
    <div aria-busy="true" className="grid gap-4">
      <Skeleton className="h-9 w-72" />
      <Skeleton className="h-5 w-96 max-w-full" />
      <div className="mt-6 grid gap-4 md:grid-cols-2">
        {[1, 2, 3, 4].map((one) => (
          <Skeleton key={one} className="h-52 rounded-lg" />
        ))}
      </div>
    </div>
  )
}
