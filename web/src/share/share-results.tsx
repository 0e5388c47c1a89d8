/** From the names of a search to a shared list. Its texts come with it: the search page does without them. */
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useAccount } from '../api/session.ts'
import { makeShare } from '../api/shares.ts'
import { useText } from '../i18n/i18n.ts'
import { bestOf, stateOf } from '../search/result.ts'
import type { Result } from '../search/result.ts'
import { hearts } from '../search/actions/hearts.ts'
import { latestOf } from '../search/actions/recheck.ts'
import { useStore } from '../store.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'

const MOST = 20
const TITLE_MAX = 100

export default function ShareResults({
  description,
  results,
}: {
  readonly description: string
  readonly results: readonly Result[]
}) {
  const { t } = useText()
  const router = useRouter()
  const account = useAccount()?.id
  const kept = new Set(useStore(hearts).map(({ domain }) => domain))
  const sharing = useMutation({
    mutationFn: () => {
      const title = description.replaceAll(/\s+/g, ' ').trim()
      return makeShare(account, {
        title: title.length > TITLE_MAX ? `${title.slice(0, TITLE_MAX - 1)}…` : title,
        names: namesOf(results, kept),
      })
    },
    onSuccess: ({ url }) => {
      if (url !== null)
        void router.navigate({ to: '/r/$token', params: { token: url.slice(url.lastIndexOf('/') + 1) } })
    },
  })
  return (
    <div className="grid justify-items-center gap-2 border-t border-line pt-8 text-center">
      <p className="max-w-[32rem] text-faint">{t('share.startText')}</p>
      <Button icon="people" busy={sharing.isPending} onClick={() => sharing.mutate()}>
        {t('share.start')}
      </Button>
      {sharing.isError && <Fault error={sharing.error} />}
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
