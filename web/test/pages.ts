/**
 * Every page and every notable state of one, each with the way there: the one list that everything which looks at all
 * pages goes through. It is long because it is one list.
 *
 * A state is brought about in English, by roles and names as a reader would; its appearance is changed afterwards
 * (appearances.ts). What a state needs to hold (an answer that does not come) it lets go of when the next one is opened.
 */
import type { Page } from 'playwright-core'
import type { Cast, Role } from './cast.ts'
import { DESK, forget, heightOf, PHONE, settle } from './appearances.ts'

export interface State {
  readonly name: string
  readonly who: Role
  readonly path: string | ((cast: Cast) => string)
  /** On from the page as it is when everything has arrived; without it, there is nothing to do. */
  readonly act?: (page: Page, cast: Cast) => Promise<void>
  /** What is there when there is nothing to wait for any more; else that nothing is on its way. */
  readonly until?: (page: Page) => Promise<void>
  readonly remembered?: (cast: Cast) => Readonly<Record<string, string>>
  /** Something of it was said in the language of that moment, and stays so. */
  readonly isSaid?: boolean
  /** How wide the window is on the way there; else as on a desk. */
  readonly width?: number
  /** Before the page is opened. */
  readonly hold?: (page: Page) => Promise<unknown>
}

const SEARCH = '/?d=a+bakery+that+delivers+by+bicycle&seed=7&tlds=com,net,shop,dev,co&n='
const SOME = `${SEARCH}6`
const FEW = `${SEARCH}3`

/** As a node answers that can reach nobody outside (no-network.test.ts). */
const NOTHING_CHECKED = {
  suggestions: [],
  shortfall: {
    wanted: 3,
    returned: 0,
    reason: 'availability_unknown',
    sources: [{ source: 'dns', state: 'unreachable' }],
  },
}
const UNCHECKED = {
  contentType: 'application/x-ndjson',
  body: `${JSON.stringify({ event: 'done', id: 's.1', data: { status: 'success', data: NOTHING_CHECKED } })}\n`,
}

const press = async (page: Page, name: string | RegExp, role: 'button' | 'link' = 'button') => {
  await page.getByRole(role, { name }).first().click()
}
const dialogIsOpen = (page: Page) => page.getByRole('dialog').first().waitFor()
const inDialog = (name: string | RegExp) => async (page: Page) => {
  await press(page, name)
  await dialogIsOpen(page)
}
const neverAnswered = (glob: string) => (page: Page) => page.route(glob, () => {})
const cutOff = (glob: string) => (page: Page) => page.route(glob, (route) => route.abort())
const alertIsThere = (page: Page) => page.getByRole('alert').first().waitFor()
const grid = () => ({ view: 'grid' })

async function compareThree(page: Page): Promise<void> {
  for (const index of [0, 1, 2])
    await page
      .getByRole('article')
      .nth(index)
      .getByRole('button', { name: /^Compare / })
      .click()
}

async function openDetails(page: Page): Promise<void> {
  await page.getByRole('article').first().getByRole('heading').getByRole('button').click()
  await dialogIsOpen(page)
}

async function openRegister(page: Page): Promise<void> {
  const details = page.getByRole('dialog', { name: /^Details of/ })
  await details.getByRole('button', { name: /^Register / }).click()
  await page.getByRole('link', { name: /^Register at Porkbun/ }).waitFor()
}

async function makeKey(page: Page): Promise<void> {
  await inDialog('New key')(page)
  await page.getByRole('textbox', { name: 'Name' }).fill('Looked at')
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('heading', { name: 'Looked at is ready' }).waitFor()
}

async function signInHalf(page: Page, { careful }: Cast): Promise<void> {
  await page.getByRole('textbox', { name: 'Email address' }).fill(careful.email)
  await page.getByLabel('Password', { exact: true }).fill(careful.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
}

const ofSearch: readonly State[] = [
  { name: 'search', who: 'visitor', path: '/' },
  {
    name: 'search-recent',
    who: 'visitor',
    path: FEW,
    async act(page) {
      await press(page, 'Search', 'link')
      await page.getByRole('region', { name: 'Recent searches' }).waitFor()
    },
  },
  {
    name: 'search-filters',
    who: 'visitor',
    path: '/?tlds=com,shop&min=4&max=9&styles=blend',
    async act(page) {
      await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'Extensions' }).click()
      await dialogIsOpen(page)
      await page.getByRole('dialog').getByRole('checkbox').first().waitFor()
    },
  },
  {
    name: 'search-filters-phone',
    who: 'visitor',
    path: '/?tlds=com,shop&price=20',
    width: PHONE,
    async act(page) {
      await press(page, /^Filters/)
      await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'Price' }).click()
      await dialogIsOpen(page)
    },
  },
  { name: 'search-shortcuts', who: 'visitor', path: '/', act: openShortcuts },
  {
    name: 'search-loading',
    who: 'visitor',
    path: FEW,
    hold: neverAnswered('**/v1/generate'),
    until: (page) => page.getByRole('progressbar').waitFor(),
  },
  {
    name: 'search-unchecked',
    who: 'visitor',
    path: FEW,
    hold: (page) => page.route('**/v1/generate', (route) => route.fulfill(UNCHECKED)),
    until: (page) => page.getByText('Availability cannot be checked right now').waitFor(),
  },
  { name: 'search-cards', who: 'visitor', path: SOME },
  { name: 'search-details', who: 'visitor', path: FEW, act: openDetails },
  { name: 'search-details-phone', who: 'visitor', path: FEW, width: PHONE, act: openDetails },
  {
    name: 'search-register',
    who: 'visitor',
    path: FEW,
    async act(page) {
      await openDetails(page)
      await openRegister(page)
    },
  },
  {
    name: 'search-things',
    who: 'visitor',
    path: FEW,
    async act(page) {
      await openDetails(page)
      await press(page, 'Preview the brand')
      await page.getByRole('img').nth(4).waitFor()
    },
  },
  {
    name: 'search-exact',
    who: 'visitor',
    path: '/',
    async act(page) {
      await page.getByRole('textbox').fill('mayfly.studio')
      const rows = page.getByRole('region', { name: 'Exact match' }).getByRole('listitem')
      await rows.filter({ hasText: 'Available' }).first().waitFor()
    },
  },
  {
    name: 'search-list',
    who: 'visitor',
    path: '/',
    async act(page) {
      await page.getByRole('textbox').fill('mayfly.studio\nmayfly\nstorkloom.io\nstorkloom.com\n-bad-.com')
      await page.getByRole('progressbar', { name: 'Domains checked' }).waitFor()
      await page.locator('section[aria-busy=true]').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'search-candidates',
    who: 'visitor',
    path: '/?tlds=com,net',
    async act(page) {
      const names = ['Google', '**Storkloom** - light', 'Mayfly (short)', 'Dough Street', 'Mayfly']
      await page.getByRole('textbox').fill(['Some names:', ...names.map((name, at) => `${at + 1}. ${name}`)].join('\n'))
      await page.getByRole('textbox').press('Enter')
      await page.getByRole('list', { name: 'Names that are not suggested' }).waitFor()
    },
  },
  { name: 'search-grid', who: 'visitor', path: SOME, remembered: grid },
  {
    name: 'search-grid-details',
    who: 'visitor',
    path: FEW,
    remembered: grid,
    async act(page) {
      await page.getByRole('gridcell').first().click()
      await dialogIsOpen(page)
    },
  },
  {
    name: 'search-hint',
    who: 'visitor',
    path: FEW,
    async act(page) {
      await openDetails(page)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^\.com/ })
        .focus()
      await page.getByRole('tooltip').first().waitFor()
    },
  },
  { name: 'search-compare-tray', who: 'visitor', path: FEW, act: compareThree },
  {
    name: 'search-compare',
    who: 'visitor',
    path: FEW,
    async act(page) {
      await compareThree(page)
      await page.getByRole('button', { name: 'Compare', exact: true }).click()
      await dialogIsOpen(page)
    },
  },
  { name: 'search-none', who: 'visitor', path: `${FEW}&min=60&max=63` },
  { name: 'search-refused', who: 'visitor', path: '/?d=a+bakery&tlds=nosuchsuffix&n=6', until: alertIsThere },
  {
    name: 'search-used-up',
    who: 'visitor',
    path: `${SEARCH}30`,
    async act(page) {
      await page.goto(`${SEARCH}31`)
      await alertIsThere(page)
    },
  },
]

const ofLists: readonly State[] = [
  { name: 'history-visitor', who: 'visitor', path: '/history' },
  { name: 'history-empty', who: 'newUser', path: '/history' },
  { name: 'history', who: 'ada', path: '/history' },
  {
    name: 'history-details',
    who: 'ada',
    path: '/history',
    act: (page) => press(page, /^Show (all|\d+)/),
  },
  { name: 'favorites-visitor', who: 'visitor', path: '/favorites' },
  { name: 'favorites-empty', who: 'newUser', path: '/favorites' },
  { name: 'favorites', who: 'ada', path: '/favorites' },
  {
    name: 'favorites-share',
    who: 'ada',
    path: '/favorites',
    async act(page) {
      await page
        .getByRole('checkbox', { name: /^Select / })
        .first()
        .check()
      await inDialog('Share for votes')(page)
    },
  },
  { name: 'share', who: 'visitor', path: ({ sharePath }) => sharePath },
  { name: 'share-voted', who: 'visitor', path: ({ sharePath }) => sharePath, act: (page) => press(page, /^Like$/) },
  { name: 'share-ended', who: 'visitor', path: '/s/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
]

const ofWelcome: readonly State[] = [
  { name: 'welcome', who: 'visitor', path: '/welcome' },
  { name: 'welcome-new', who: 'visitor', path: '/welcome?new' },
  {
    name: 'welcome-wrong',
    who: 'visitor',
    path: '/welcome?new',
    isSaid: true,
    act: (page) => press(page, 'Create an account'),
  },
  { name: 'welcome-second-step', who: 'visitor', path: '/welcome', act: signInHalf },
  {
    name: 'welcome-forgot',
    who: 'visitor',
    path: '/welcome',
    act: (page) => press(page, 'Forgot your password?'),
  },
  {
    name: 'welcome-link',
    who: 'visitor',
    path: '/welcome',
    act: (page) => press(page, 'Email me a sign-in link'),
  },
  { name: 'verify-email', who: 'visitor', path: '/verify-email' },
  { name: 'not-found', who: 'visitor', path: '/', act: openNothing },
  { name: 'account-menu', who: 'ada', path: '/', act: (page) => press(page, 'Your account') },
]

const ofSettings: readonly State[] = [
  { name: 'settings-visitor', who: 'visitor', path: '/settings' },
  { name: 'settings-profile', who: 'ada', path: '/settings/profile' },
  { name: 'settings-profile-address', who: 'ada', path: '/settings/profile', act: inDialog('Change address') },
  { name: 'settings-appearance', who: 'ada', path: '/settings/appearance' },
  { name: 'settings-security', who: 'ada', path: '/settings/security' },
  { name: 'settings-keys-none', who: 'newUser', path: '/settings/keys' },
  { name: 'settings-keys', who: 'ada', path: '/settings/keys' },
  { name: 'settings-keys-new', who: 'ada', path: '/settings/keys', act: inDialog('New key') },
  { name: 'settings-keys-shown', who: 'newUser', path: '/settings/keys', act: makeKey },
  { name: 'settings-keys-rotate', who: 'ada', path: '/settings/keys', act: inDialog('Rotate Shop, live') },
  { name: 'settings-keys-retiring', who: 'ada', path: '/settings/keys', act: inDialog('Show usage') },
  { name: 'settings-keys-revoke', who: 'ada', path: '/settings/keys', act: inDialog('Revoke Shop, live') },
  {
    name: 'settings-keys-failed',
    who: 'ada',
    path: '/settings/keys',
    hold: cutOff('**/settings/accounts/*/keys'),
    until: alertIsThere,
  },
  { name: 'settings-usage', who: 'ada', path: '/settings/usage' },
  { name: 'settings-apps', who: 'ada', path: '/settings/apps' },
  { name: 'settings-apps-new', who: 'ada', path: '/settings/apps', act: inDialog('Register app') },
  { name: 'settings-webhooks', who: 'ada', path: '/settings/webhooks' },
  { name: 'settings-webhooks-new', who: 'ada', path: '/settings/webhooks', act: inDialog('New webhook') },
  { name: 'settings-team-own', who: 'ada', path: '/settings/team' },
  { name: 'settings-team', who: 'ada', path: '/settings/team', remembered: ({ team }) => ({ account: team }) },
  { name: 'settings-audit', who: 'ada', path: '/settings/audit' },
  { name: 'settings-data', who: 'ada', path: '/settings/data' },
  { name: 'operator', who: 'operator', path: '/operator' },
]

export const STATES: readonly State[] = [...ofSearch, ...ofLists, ...ofWelcome, ...ofSettings]

let addresses = 0

/** Brings the browser of whom it concerns there, and answers with its page. */
export async function openState(cast: Cast, state: State): Promise<Page> {
  const { page, context } = cast.visits[state.who]
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // Visitors have limits by address, and only one state is about those.
  if (state.who === 'visitor')
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': `10.99.${addresses >> 8}.${addresses++ & 255}` })
  await page.setViewportSize({ width: state.width ?? DESK, height: heightOf(state.width ?? DESK) })
  await forget(page, state.remembered?.(cast))
  await state.hold?.(page)
  await page.goto(typeof state.path === 'string' ? state.path : state.path(cast))
  await (state.until ?? hasArrived)(page)
  await state.act?.(page, cast)
  await settle(page)
  return page
}

/** A page is there, and none of its parts is waiting. */
async function hasArrived(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

async function openShortcuts(page: Page): Promise<void> {
  await page.getByRole('main').focus()
  await page.keyboard.press('?')
  await dialogIsOpen(page)
}

/** The service knows the addresses of the app; only a link inside of it leads to none. */
async function openNothing(page: Page): Promise<void> {
  await page.evaluate(() => {
    history.pushState({}, '', '/nowhere')
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  })
  await page.getByRole('link', { name: 'Find names' }).waitFor()
}
