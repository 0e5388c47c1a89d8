/**
 * Every page and its address. What a page needs is fetched when it is first opened; the search page comes with the shell,
 * because that is where people arrive.
 */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { lazyPart, loadView } from './later.ts'
import { SearchPage } from './search/search-page.tsx'
import { parseAsked } from './search/asked.ts'
import { Shell } from './shell/shell.tsx'

const NotFound = lazyPart(async () => ({ default: (await import('./pages/not-found.tsx')).NotFound }))

const root = createRootRoute({ component: Shell, notFoundComponent: () => <NotFound /> })

const search = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: SearchPage,
  validateSearch: parseAsked,
})

type Load = () => Promise<{ default: () => React.ReactNode }>

const viewOf = (load: Load) => lazyRouteComponent(() => loadView(load))

const page = <Path extends string>(path: Path, load: Load) =>
  createRoute({ getParentRoute: () => root, path, component: viewOf(load) })

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: viewOf(() => import('./settings/settings-frame.tsx')),
})
const setting = <Path extends string>(path: Path, load: Load) =>
  createRoute({ getParentRoute: () => settings, path, component: viewOf(load) })

const routeTree = root.addChildren([
  search,
  page('/history', () => import('./pages/history-page.tsx')),
  page('/favorites', () => import('./pages/favorites-page.tsx')),
  page('/r/$token', () => import('./pages/shared-list-page.tsx')),
  // Links of earlier versions.
  page('/s/$token', () => import('./pages/shared-list-page.tsx')),
  page('/welcome', () => import('./welcome/welcome-page.tsx')),
  page('/verify-email', () => import('./welcome/verify-email-page.tsx')),
  page('/operator', () => import('./operator/operator-page.tsx')),
  settings.addChildren([
    createRoute({
      getParentRoute: () => settings,
      path: '/',
      beforeLoad: () => redirect({ to: '/settings/keys', throw: true }),
    }),
    setting('/profile', () => import('./settings/profile-page.tsx')),
    setting('/appearance', () => import('./settings/appearance-page.tsx')),
    setting('/security', () => import('./settings/security-page.tsx')),
    setting('/keys', () => import('./settings/keys-page.tsx')),
    setting('/usage', () => import('./settings/usage-page.tsx')),
    setting('/apps', () => import('./settings/apps-page.tsx')),
    setting('/webhooks', () => import('./settings/webhooks-page.tsx')),
    setting('/team', () => import('./settings/team-page.tsx')),
    setting('/audit', () => import('./settings/audit-page.tsx')),
    setting('/data', () => import('./settings/data-page.tsx')),
  ]),
])

export const router = createRouter({ routeTree, defaultPreload: 'intent', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
