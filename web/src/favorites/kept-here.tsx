/** Hearts of somebody who is not signed in: what this browser has kept, and why signing in would be better. */
import { Link } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { useText } from '../i18n/i18n.ts'
import { DomainActions } from '../search/actions/domain-actions.tsx'
import { addHeart, hearts, removeHeart } from '../search/actions/hearts.ts'
import type { KeptHeart } from '../search/actions/hearts.ts'
import { useVerdict } from '../search/actions/recheck.ts'
import { useStore } from '../store.ts'
import { buttonClass, IconButton } from '../ui/button.tsx'
import { focusNeighbour } from '../ui/focus-neighbour.ts'
import { Empty, Ltr, Notice } from '../ui/layout.tsx'
import { showToast } from '../ui/toast.tsx'
import { CheckAgain } from './check-again.tsx'
import { StateNow } from './state-now.tsx'

export function KeptHere() {
  const { t } = useText()
  const kept = useStore(hearts)
  const list = useRef<HTMLUListElement>(null)
  const toSignIn = (
    <Link to="/welcome" search={{ to: '/favorites' }} className={buttonClass('main')}>
      {t('shell.signIn')}
    </Link>
  )
  if (kept.length === 0)
    return (
      <Empty icon="heart" title={t('favorites.invitation')} action={toSignIn}>
        {t('favorites.invitationText')}
      </Empty>
    )
  const remove = (heart: KeptHeart) => {
    focusNeighbour(list.current, `[data-favorite="${heart.domain}"]`, '[data-favorite]')
    removeHeart(heart.domain)
    showToast({
      text: t('favorites.deleted', { domain: heart.domain }),
      many: 'actions.notKeptMany',
      onUndo: () => addHeart(heart),
    })
  }
  return (
    <div className="grid gap-6">
      <Notice title={t('favorites.keptHere', { count: kept.length })} action={toSignIn}>
        {t('favorites.keptHereText')}
      </Notice>
      <ul ref={list} tabIndex={-1} aria-label={t('favorites.title')} className="grid gap-4 outline-none">
        {kept.map((heart) => (
          <li key={heart.domain}>
            <KeptRow heart={heart} onDelete={() => remove(heart)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function KeptRow({ heart, onDelete }: { readonly heart: KeptHeart; readonly onDelete: () => void }) {
  const { t } = useText()
  const { name, domain, available, price, kept_at } = heart
  const saved = useMemo(() => ({ available, price, checked_at: kept_at }), [available, price, kept_at])
  const entry = useVerdict(useMemo(() => ({ domain, ...saved }), [domain, saved]))
  return (
    <article
      data-favorite={domain}
      tabIndex={-1}
      className="grid gap-x-8 gap-y-3 rounded-lg border border-line bg-card p-5 shadow-card sm:grid-cols-[minmax(0,1fr)_13rem_auto]"
    >
      <div>
        <h2 className="text-2xl font-semibold">
          <Ltr>{name}</Ltr>
        </h2>
        <Ltr className="font-mono text-[0.95rem] text-faint">{domain}</Ltr>
      </div>
      <StateNow entry={entry} saved={saved} termYears={heart.term_years} />
      <div className="-ms-2 flex flex-wrap content-start items-center gap-1">
        <DomainActions name={name} domain={entry} />
        <CheckAgain entry={entry} />
        <IconButton icon="trash" label={t('favorites.delete', { domain })} onClick={onDelete} />
      </div>
    </article>
  )
}
