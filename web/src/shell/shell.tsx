/** What is around every page: the name, where one can go, who one is; and the places for notes and announcements. */
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useAccount } from '../api/session.ts'
import { useText } from '../i18n/i18n.ts'
import { lazyPart } from '../later.ts'
import { ShortcutDialogs } from '../shortcuts/shortcuts.tsx'
import { Announcer } from '../ui/announcer.tsx'
import { Mark } from '../ui/icon.tsx'
import { useHasToasts } from '../ui/has-toasts.ts'
import { Footer } from './footer.tsx'
import { Loading } from './loading.tsx'
import { OfflineNote } from './offline-note.tsx'
import { SandboxNote } from './sandbox-note.tsx'
import { ShellBoundary } from './shell-boundary.tsx'
import { SuspendedNote } from './suspended-note.tsx'
import { AccountMenu } from './account-menu.tsx'

// Visitors need neither, nor the SDK that both import.
const FavoritesBadge = lazyPart(() => import('../favorites/favorites-badge.tsx'))
const MoveHearts = lazyPart(() => import('../search/actions/move-hearts.tsx'))
const Toasts = lazyPart(async () => ({ default: (await import('../ui/toast.tsx')).Toasts }))

const LINK =
  'inline-flex min-h-11 items-center rounded-md px-3 font-medium max-sm:px-1.5 max-sm:text-[0.95rem] text-faint no-underline hover:bg-sunken hover:text-ink aria-[current=page]:text-ink'

export function Shell() {
  const { t } = useText()
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const first = useRef(true)
  const hasToasts = useHasToasts()
  // A new page starts at its beginning, also for screen readers.
  useEffect(() => {
    if (first.current) first.current = false
    else main.current?.focus()
  }, [path])
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="absolute start-4 top-2 z-60 -translate-y-20 rounded-md bg-accent px-4 py-2 text-on-accent focus:translate-y-0"
      >
        {t('shell.skip')}
      </a>
      <SandboxNote />
      <SuspendedNote />
      <header className="mx-auto flex w-full max-w-[76rem] items-center gap-2 px-4 py-3 max-sm:py-1.5 sm:px-6">
        <Link to="/" className="inline-flex min-h-11 shrink-0 items-center gap-2.5 no-underline sm:me-2">
          <Mark />
          <span lang="en" translate="no" className="font-display text-xl font-semibold max-sm:sr-only">
            Namewright
          </span>
        </Link>
        <nav
          aria-label={t('shell.mainNavigation')}
          className="relative me-auto flex min-w-0 whitespace-nowrap max-sm:overflow-x-auto sm:flex-wrap"
        >
          <Link to="/" className={LINK} activeOptions={{ exact: true, includeSearch: false }}>
            {t('shell.search')}
          </Link>
          <Link to="/history" className={LINK}>
            {t('shell.history')}
          </Link>
          <Link to="/favorites" className={LINK}>
            {t('shell.favorites')}
            <WhenSignedIn>
              <FavoritesBadge />
            </WhenSignedIn>
          </Link>
        </nav>
        <ShellBoundary quiet>
          <Suspense fallback={<span className="size-11" />}>
            <AccountMenu />
          </Suspense>
        </ShellBoundary>
      </header>
      <OfflineNote />
      <main
        id="content"
        ref={main}
        tabIndex={-1}
        className="mx-auto w-full max-w-[76rem] flex-1 px-4 pt-3 pb-24 outline-none sm:px-6 sm:pt-6"
      >
        <ShellBoundary key={path}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </ShellBoundary>
      </main>
      <Footer />
      <Announcer />
      <Suspense>{hasToasts && <Toasts />}</Suspense>
      <ShortcutDialogs />
      <WhenSignedIn>
        <MoveHearts />
      </WhenSignedIn>
    </div>
  )
}

function WhenSignedIn({ children }: { readonly children: ReactNode }) {
  return (
    <Suspense>
      <OfAccount>{children}</OfAccount>
    </Suspense>
  )
}

function OfAccount({ children }: { readonly children: ReactNode }) {
  return useAccount() ? children : null
}
