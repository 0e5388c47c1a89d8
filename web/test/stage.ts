/**
 * The stage of the app's tests: a real service over HTTPS with the built app, real PostgreSQL, a Redis of its own, a mail
 * server, the loopback internet with a registrar that the test holds in hand, and Chromium.
 *
 * `NAMEWRIGHT_WEB_DIR` in the environment is a build in another folder than the usual one.
 */
import { hash, randomInt } from 'node:crypto'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { closeContexts, shareBrowser } from '../../server/test/browser.ts'
import { makeCertificate } from '../../server/test/certificate.ts'
import { NAMESPACE_HOSTS, openNamespaceServer } from '../../server/test/internet/namespace-server.ts'
import type { NamespaceServer } from '../../server/test/internet/namespace-server.ts'
import { openRegistrarServer } from '../../server/test/internet/registrar-server.ts'
import type { RegistrarServer } from '../../server/test/internet/registrar-server.ts'
import type { PeopleWorld, SignedIn } from '../../server/test/people-world.ts'
import { emptyRedis, flush, STAGE_REDIS_URL } from '../../server/test/redis.ts'
import { startApp } from '../../server/test/start-app.ts'

const REGISTRAR = 'api.vercel.com'
// For what never comes; on a machine with other work to do a page takes its time.
const MAX_MS = 60_000

export interface Stage extends AsyncDisposable {
  readonly url: string
  readonly at: PeopleWorld
  readonly registrar: RegistrarServer
  readonly redisUrl: string
  /** npm has an entry of every name, the others have none. */
  readonly hosts: NamespaceServer
  /** Domains that are gone from now on, whatever was said before. */
  readonly registered: Set<string>
  readonly browser: Browser
  /** A reader with a browser of their own, from an address of their own. */
  visit(options?: BrowserContextOptions): Promise<Visit>
  /** The same, signed in. */
  visitAs(person: SignedIn, options?: BrowserContextOptions): Promise<Visit>
}

export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  /** What the page complained of: errors, refused loads, breaches of its policy. */
  readonly complaints: readonly string[]
}

/** What several files can share; each has a view of its own on it. */
interface StageServices extends AsyncDisposable {
  /** Of the app that uses them. */
  readonly settings: Readonly<Record<string, string>>
  readonly registrar: RegistrarServer
  readonly redisUrl: string
  readonly hosts: NamespaceServer
  readonly registered: Set<string>
  readonly browser: Browser
}

let shared: Promise<StageServices> | undefined

/** One per test worker, for the files that change no settings. Visitors are many there, and so is what they may ask for. */
export async function shareStage(): Promise<Stage> {
  shared ??= flush(STAGE_REDIS_URL).then(() =>
    openServices({ NAMEWRIGHT_REDIS_URL: STAGE_REDIS_URL, NAMEWRIGHT_PUBLIC_ALLOWANCE: '1000000' }),
  )
  const { settings, registrar, registered, ...services } = await shared
  const at = await startApp({ people: true, settings })
  return stageOf({ ...services, registrar, registered, at }, async () => {
    await closeContexts(services.browser)
    await at[Symbol.asyncDispose]()
    registrar.be('well')
    registered.clear()
  })
}

export async function openStage(env: Record<string, string> = {}): Promise<Stage> {
  const services = await openServices({ ...(await emptyRedis()), ...env })
  const at = await startApp({ people: true, own: true, settings: services.settings })
  return stageOf({ ...services, at }, async () => {
    await closeContexts(services.browser)
    await at[Symbol.asyncDispose]()
    await services[Symbol.asyncDispose]()
  })
}

async function openServices(env: Record<string, string> & { NAMEWRIGHT_REDIS_URL: string }): Promise<StageServices> {
  const closing = new AsyncDisposableStack()
  const certificate = closing.use(await makeCertificate([REGISTRAR, ...NAMESPACE_HOSTS]))
  const stranger = closing.use(await makeCertificate())
  const registered = new Set<string>()
  const registrar = closing.use(await openRegistrarServer({ world: variedWorld(registered), certificate, stranger }))
  const has = (namespace: string) => namespace === 'npm'
  const hosts = closing.use(await openNamespaceServer(certificate, { has }))
  const settings = {
    NAMEWRIGHT_AVAILABILITY_MODE: 'strict',
    NAMEWRIGHT_REGISTRARS: 'vercel',
    NAMEWRIGHT_NAMESPACES: 'on',
    NAMEWRIGHT_OUTBOUND_ROUTES: `${REGISTRAR}=127.0.0.1:${new URL(registrar.url).port},${hosts.routes}`,
    NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
    NAMEWRIGHT_REGISTER_URL: 'https://registrar.example/?q={domain}',
    NAMEWRIGHT_WORKER: 'inside',
    ...(process.env['NAMEWRIGHT_WEB_DIR'] === undefined
      ? {}
      : { NAMEWRIGHT_WEB_DIR: process.env['NAMEWRIGHT_WEB_DIR'] }),
    ...env,
  }
  const browser = await shareBrowser()
  return {
    settings,
    registrar,
    hosts,
    redisUrl: env.NAMEWRIGHT_REDIS_URL,
    registered,
    browser,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

interface Parts extends Omit<StageServices, 'settings' | typeof Symbol.asyncDispose> {
  readonly at: PeopleWorld
}

function stageOf({ at, registrar, redisUrl, hosts, registered, browser }: Parts, close: () => Promise<void>): Stage {
  async function visit(options: BrowserContextOptions = {}): Promise<Visit> {
    const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
    const context = await browser.newContext({
      baseURL: at.url,
      ignoreHTTPSErrors: true,
      locale: 'en-GB',
      viewport: { width: 1280, height: 900 },
      extraHTTPHeaders: { 'x-forwarded-for': address },
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    })
    context.setDefaultTimeout(MAX_MS)
    if (options.javaScriptEnabled !== false) context.on('page', waitForApp)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      // A refused request is an answer, and tested as one.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text())
    })
    return { context, page, complaints }
  }

  return {
    url: at.url,
    at,
    registrar,
    redisUrl,
    hosts,
    registered,
    browser,
    visit,
    async visitAs(person, options) {
      const visited = await visit(options)
      const { hostname } = new URL(at.url)
      await visited.context.addCookies(
        [...person.cookies].map(([name, value]) => ({ name, value, domain: hostname, path: '/', secure: true })),
      )
      return visited
    },
    [Symbol.asyncDispose]: close,
  }
}

/**
 * The prerendered first screen is shown before the app is there, and its buttons do nothing yet. So a navigation waits for
 * the app, unless the test asks for `commit`.
 */
function waitForApp(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  const appThere = () => page.locator('[data-prerendered]').waitFor({ state: 'detached' })
  page.goto = async (url, options) => {
    const answer = await goto(url, options)
    if (options?.waitUntil !== 'commit') await appThere()
    return answer
  }
  page.reload = async (options) => {
    const answer = await reload(options)
    if (options?.waitUntil !== 'commit') await appThere()
    return answer
  }
}

/** One domain in four is taken and one in fifteen is premium, always the same ones. */
function variedWorld(registered: ReadonlySet<string>) {
  const lot = (name: string) => Number.parseInt(hash('sha256', name).slice(0, 6), 16) % 60
  class Registered extends Set<string> {
    override has(name: string): boolean {
      return registered.has(name) || lot(name) < 15
    }
  }
  class Premium extends Map<string, number> {
    override get(name: string): number | undefined {
      return lot(name) >= 56 ? 249_900 : undefined
    }
  }
  return {
    registered: new Registered(),
    premium: new Premium(),
    reserved: new Set<string>(),
    unsold: new Set<string>(),
    // Of .co nobody can say anything, which happens.
    alsoSold: ['ai', 'io', 'dev', 'app', 'studio'],
  }
}
