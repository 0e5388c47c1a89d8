/** /r/{code}, and /s/{token} of earlier versions: a shared list. Everyone with the link votes, without an account. */
import { useParams } from '@tanstack/react-router'
import { isErrorCode } from '@namewright/client'
import type { Ballot } from '../api/shares.ts'
import { ShareLink } from '../favorites/share-link.tsx'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { Deck } from '../share/deck.tsx'
import { Ranking } from '../share/ranking.tsx'
import { useSharedList } from '../share/use-shared-list.ts'
import { useVotes } from '../share/use-votes.ts'
import { VoterName } from '../share/voter-name.tsx'
import { Fault } from '../ui/fault.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Empty, PageTitle, Section, Skeleton } from '../ui/layout.tsx'

export default function SharedListPage() {
  const { t } = useText()
  const { token = '' } = useParams({ strict: false })
  const ballot = useSharedList(token)
  // A list that has ended while it was open is gone, too.
  const isGone = isErrorCode(ballot.error, 'not_found')
  return (
    <>
      {/* Only for those who were given the link. */}
      <meta name="robots" content="noindex" />
      {ballot.data && !isGone ? (
        <OpenList token={token} ballot={ballot.data} />
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

function OpenList({ token, ballot }: { readonly token: string; readonly ballot: Ballot }) {
  const { t } = useText()
  const format = useFormat()
  const vote = useVotes(token)
  const { share, mine } = ballot
  return (
    <div className="grid grid-cols-1 gap-8">
      <div>
        <PageTitle actions={<CopyButton text={location.href} label={t('favorites.copyLink')} />}>
          {share.title}
        </PageTitle>
        {share.message !== null && (
          <p className="-mt-4 mb-4 max-w-[40rem] text-lg font-medium">
            <bdi>{share.message}</bdi>
          </p>
        )}
        <p className={`max-w-[40rem] text-lg ${share.message === null ? '-mt-4' : ''}`}>{t('share.intro')}</p>
        <p className="mt-1 flex flex-wrap gap-x-4 text-faint">
          <span role="status">{t('share.voters', { count: share.voters })}</span>
          <span>{t('share.openUntil', { date: format.dateTime(share.expires_at) })}</span>
        </p>
      </div>
      <div className="mx-auto grid w-full max-w-[36rem] grid-cols-1 gap-6">
        <Deck ballot={ballot} onVote={vote} />
      </div>
      <Section title={t('share.ranking')} description={t('share.rankingText')}>
        <Ranking ballot={ballot} onVote={vote} />
      </Section>
      <Section title={t('share.invite')} description={t('share.inviteText')}>
        <ShareLink url={location.href} />
        <VoterName token={token} hasVoted={Object.keys(mine).length > 0} />
      </Section>
    </div>
  )
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
