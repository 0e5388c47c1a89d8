/**
 * The manual and the API reference in a real browser: no page breaks its policy, asks another host or is wider than a
 * phone; axe finds nothing; the search finds the right page first; a request can be tried with a key, and streams.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeContexts, shareBrowser } from '../../browser.ts'
import { ROOT } from '../../docs/pages.ts'
import { startApp } from '../../start-app.ts'
import type { Node, World } from '../../world.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PHONE = { width: 390, height: 844 }

let world: World
let node: Node
let browser: Browser
beforeAll(async () => {
  execFileSync(process.execPath, [fileURLToPath(new URL('scripts/docs/build.ts', ROOT)), '--if-stale'])
  world = await startApp()
  node = await world.startNodeProcess()
  browser = await shareBrowser()
}, 180_000)
afterAll(async () => {
  await closeContexts(browser)
  await world?.[Symbol.asyncDispose]()
})

/** What the page says against itself: violations of its policy, errors, and requests to other hosts. */
async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('request', (request) => {
    if (!/^(?:data:|blob:|http:\/\/127\.0\.0\.1)/.test(request.url())) complaints.push(request.url())
  })
  await page.goto(`${node.url}${path}`)
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}

const listPaths = (page: Page): Promise<string[]> =>
  page.locator('.VPSidebar a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))

test('no page breaks its policy, asks another host or is wider than a phone', { timeout: 300_000 }, async () => {
  await using opened = await open('/docs/', { viewport: PHONE })
  const { page, complaints } = opened
  const paths = ['/docs/', ...(await listPaths(page))]
  expect(paths.length).toBeGreaterThan(30)
  const wide: string[] = []
  for (const path of paths) {
    await page.goto(`${node.url}${path}`)
    const width = (await page.evaluate('document.documentElement.scrollWidth')) as number
    if (width > PHONE.width) wide.push(`${path}: ${width}`)
  }
  expect(wide).toEqual([])
  expect(complaints).toEqual([])
})

test.each(['light', 'dark'] as const)('axe finds nothing in the %s', { timeout: 300_000 }, async (colorScheme) => {
  await using opened = await open('/docs/', { colorScheme })
  const { page } = opened
  const found: string[] = []
  for (const path of ['/docs/', '/docs/generate', '/docs/errors', '/docs/quickstart', '/docs/configuration']) {
    await page.goto(`${node.url}${path}`)
    // The policy lets no script of a string in; the test's own is put in by the debugger.
    await page.evaluate(AXE)
    const { violations } = (await page.evaluate('axe.run()')) as {
      readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
    }
    found.push(...violations.map(({ id, nodes }) => `${path} ${id} ${nodes[0]?.html}`))
  }
  expect(found).toEqual([])
})

test.each([
  ['webhook signature', '/docs/webhooks'],
  ['invalid_token', '/docs/errors'],
  ['quota_exceeded', '/docs/errors'],
  ['publishable key', '/docs/embedding'],
  ['Kubernetes', '/docs/operations'],
  ['server-sent events', '/docs/generate'],
  ['backup', '/docs/operating/backup'],
  ['price file', '/docs/data-sources'],
  ['batch', '/docs/batches'],
  ['MCP', '/docs/mcp'],
  ['rotate key', '/docs/permissions'],
])('a search for "%s" finds %s first', async (words, path) => {
  await using opened = await open('/docs/')
  const { page, complaints } = opened
  await page.locator('#local-search button').first().click()
  await page.locator('#localsearch-input').fill(words)
  const first = page.locator('#localsearch-list a').first()
  await first.waitFor()
  await expect.poll(async () => new URL((await first.getAttribute('href')) ?? '', node.url).pathname).toBe(path)
  expect(complaints).toEqual([])
})

test('without script every page is read', async () => {
  await using opened = await open('/docs/errors', { javaScriptEnabled: false })
  await opened.page.getByRole('heading', { name: 'quota_exceeded' }).waitFor()
  expect(await listPaths(opened.page)).toContain('/docs/generate')
})

test('the dark is remembered, and the logo leads to the app', async () => {
  await using opened = await open('/docs/')
  const { page, complaints } = opened
  await page.locator('.VPNavBarAppearance button').click()
  expect(await page.evaluate(`document.documentElement.classList.contains('dark')`)).toBe(true)
  await page.reload()
  expect(await page.evaluate(`document.documentElement.classList.contains('dark')`)).toBe(true)
  expect(await page.locator('.VPNavBarTitle a').getAttribute('href')).toBe('/')
  expect(complaints).toEqual([])
})

test('the reference draws every operation, and a request with a key is answered', { timeout: 120_000 }, async () => {
  const { secret } = await world.makeKey(await world.makeAccount())
  await using opened = await open('/docs/reference')
  const { page, complaints } = opened
  const { paths } = (await (await fetch(`${node.url}/openapi.json`)).json()) as { readonly paths: object }
  const summaries = Object.values(paths).flatMap((one: object) =>
    Object.values(one).map(({ summary }: { readonly summary: string }) => summary),
  )
  const listed = page.locator('aside')
  for (const summary of summaries) await listed.getByText(summary, { exact: true }).first().waitFor()
  await page.getByPlaceholder('Token').first().fill(secret)
  await listed.getByText('Generate domain suggestions').click()
  await page.getByRole('button', { name: 'Test Request' }).first().click()
  const answered = page.waitForResponse((response) => response.url().endsWith('/v1/generate'))
  await page.getByRole('button', { name: /^Send/ }).first().click()
  expect((await answered).status()).toBe(200)
  // The key is in the memory of the page and nowhere else.
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('nw_')
  expect(await page.evaluate('document.cookie')).not.toContain('nw_')
  // It probes whether it may use `eval`, which the policy refuses.
  expect(complaints.filter((text) => !text.includes('eval'))).toEqual([])
})
