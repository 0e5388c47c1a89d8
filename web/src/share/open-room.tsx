/** From the names of a search to a naming room. Its texts come with it: the search page has no room for them. */
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useAccount } from '../api/session.ts'
import { makeShare } from '../api/shares.ts'
import { useText } from '../i18n/i18n.ts'
import { requestOf } from '../search/request-of.ts'
import type { Asked } from '../search/asked.ts'
import { bestOf, stateOf } from '../search/result.ts'
import type { Result } from '../search/result.ts'
import { hearts } from '../search/actions/hearts.ts'
import { latestOf } from '../search/actions/recheck.ts'
import { useStore } from '../store.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { keepVoter, useVoter } from './voter.ts'

const MOST = 20
const TITLE_MAX = 100

export default function OpenRoom({
  asked,
  description,
  results,
}: {
  readonly asked: Asked
  readonly description: string
  readonly results: readonly Result[]
}) {
  const { t } = useText()
  const router = useRouter()
  const account = useAccount()?.id
  const voter = useVoter()
  const kept = new Set(useStore(hearts).map(({ domain }) => domain))
  const opening = useMutation({
    mutationFn: () => {
      const {
        description: about,
        count: _count,
        seed: _seed,
        like: _like,
        unlike: _unlike,
        include: _include,
        ...options
      } = requestOf(asked, description, undefined)
      const title = about.replaceAll(/\s+/g, ' ').trim()
      return makeShare(account, voter.id, {
        title: title.length > TITLE_MAX ? `${title.slice(0, TITLE_MAX - 1)}…` : title,
        names: namesOf(results, kept),
        description: about,
        options,
      })
    },
    onSuccess: ({ url }) => {
      keepVoter()
      if (url !== null)
        void router.navigate({ to: '/r/$token', params: { token: url.slice(url.lastIndexOf('/') + 1) } })
    },
  })
  return (
    <div className="grid justify-items-center gap-2 border-t border-line pt-8 text-center">
      <p className="max-w-[32rem] text-faint">{t('room.startText')}</p>
      <Button icon="people" busy={opening.isPending} onClick={() => opening.mutate()}>
        {t('room.start')}
      </Button>
      {opening.isError && <Fault error={opening.error} />}
    </div>
  )
}

/** Those with a heart first, then the best of the others; each with its best domain. */
function namesOf(results: readonly Result[], kept: ReadonlySet<string>) {
  const all = results.flatMap((result) => {
    const domains = result.domains.map(latestOf)
    const best = domains.find(({ domain }) => kept.has(domain)) ?? bestOf({ ...result, domains })
    return best && ['free', 'premium'].includes(stateOf(best)) ? [{ name: result.name, domain: best.domain }] : []
  })
  return all.toSorted((one, other) => Number(kept.has(other.domain)) - Number(kept.has(one.domain))).slice(0, MOST)
}
