/** What the search page weighs before anybody has pressed anything, and that nothing of it comes from elsewhere. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shareStage } from './stage.ts'
import type { Stage } from './stage.ts'

const MAX_BYTES = 150_000
const PARTS = ['document', 'script', 'stylesheet', 'font']

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

it.each(['en', 'ar', 'ru'])(
  'the first load in %s is at most 150 kB packed, with its font',
  { timeout: 120_000 },
  async (locale) => {
    const { page, complaints } = await stage.visit({ locale, serviceWorkers: 'block' })
    const sizes: Promise<readonly [string, number]>[] = []
    page.on('response', (response) => {
      if (!PARTS.includes(response.request().resourceType())) return
      const weigh = async () => [response.url(), gzipSync(await response.body(), { level: 9 }).length] as const
      sizes.push(weigh())
    })
    await page.goto('/')
    await page.getByRole('search').getByRole('textbox').waitFor()
    await page.waitForLoadState('networkidle')
    const weighed = await Promise.all(sizes)
    expect(weighed.filter(([url]) => url.endsWith('.js')).length).toBeGreaterThan(1)
    expect(weighed.filter(([url]) => url.endsWith('.woff2')).length).toBe(1)
    const sum = weighed.reduce((all, [, size]) => all + size, 0)
    expect(sum, JSON.stringify(weighed)).toBeLessThanOrEqual(MAX_BYTES)
    // What the first screen shows is in the first load: no text is its own id, and no sign is empty.
    expect(await page.locator('body').innerText()).not.toMatch(/\b(?:search|shell|shortcuts)\.[a-z]/)
    expect(await page.locator('svg path:not([d])').count()).toBe(0)
    expect(complaints).toEqual([])
  },
)

it('the built page has no script or style of its own in it, and nothing from elsewhere', async () => {
  const reply = await stage.at.visitor().ask('/', { headers: { accept: 'text/html' } })
  expect(reply.status).toBe(200)
  const scripts = [...reply.text.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)]
  expect(scripts.length).toBeGreaterThan(0)
  for (const [, attributes, content] of scripts)
    expect([attributes?.includes('src="/assets/'), content]).toEqual([true, ''])
  expect(reply.text).not.toMatch(/<style|\sstyle=|\son\w+=|(?:src|href)="(?:https?:)?\/\//)
})
