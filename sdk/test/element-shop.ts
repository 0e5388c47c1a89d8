/** A page with the element, on another origin than the service, with a strict Content-Security-Policy. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { PATIENT_SEARCHES } from '../../server/test/browser.ts'
import type { World } from '../../server/test/world.ts'

export interface Shop extends AsyncDisposable {
  readonly url: string
  /** The URL of a page with the element and these attributes. */
  pageOf(attributes: Readonly<Record<string, string>>, page?: { readonly lang?: string }): string
}

/** Allows scripts and requests to the service only, and no markup from strings. */
const policyOf = (service: string) =>
  [
    "default-src 'none'",
    `script-src ${service}`,
    `connect-src ${service}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

export async function openShop(service: string): Promise<Shop> {
  const pages = new Map<string, string>()
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '') ?? '<!doctype html><title>elsewhere</title><p>elsewhere'
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policyOf(service) })
      .end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    pageOf(attributes, { lang = 'en' } = {}) {
      const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value.replaceAll('"', '&quot;')}"`)
      const path = `/${pages.size}`
      pages.set(
        path,
        `<!doctype html><html lang="${lang}"><meta name="viewport" content="width=device-width">
         <meta name="color-scheme" content="light dark"><title>a shop</title>
         <script type="module" src="${service}/embed/namewright-search.js"></script>
         <main><h1>A shop</h1>
         <namewright-search${written.join('')}><a href="/plain">Search for a domain</a></namewright-search></main>`,
      )
      return `${url}${path}`
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** A publishable key for this origin, in a new account. */
export async function makePublishable(world: World, origin: string, spec: Parameters<World['makeKey']>[1] = {}) {
  const key = { scopes: ['generate', 'domains:check'] as const, allowedOrigins: [origin], ...spec }
  return (await world.makeKey(await world.makeAccount(), key)).secret
}

interface PageOptions extends BrowserContextOptions {
  /** Whether searches keep the deadline of the service: where nothing can be found, a later one is only longer silence. */
  readonly keepsDeadline?: boolean
}

/** Opens a new page; collects errors of the browser console and events of the element. */
export async function openPage(
  browser: Browser,
  address: string,
  { keepsDeadline = false, ...options }: PageOptions = {},
) {
  const context = await browser.newContext({ viewport: { width: 900, height: 900 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  if (!keepsDeadline) await page.addInitScript(PATIENT_SEARCHES)
  await page.addInitScript(`
    window.received = []
    for (const type of ['namewright-select', 'namewright-error'])
      addEventListener(type, (event) => window.received.push([type, event.detail]))`)
  await page.goto(address)
  return {
    page,
    complaints,
    events: () => page.evaluate<[type: string, detail: Record<string, unknown>][]>('window.received'),
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** Types a description and submits it with the keyboard. */
export async function search(page: Page, words: string): Promise<void> {
  const input = page.getByRole('textbox')
  await input.fill(words)
  await input.press('Enter')
}
