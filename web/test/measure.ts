/**
 * `pnpm measure web`: how fast the app feels, as a table. With a processor four times slower than this one: how soon the
 * search page is there, and how long it takes to answer a key, a press and a scroll. At full speed: how soon the first
 * name is there after Enter. And what Lighthouse makes of it, which has a slow phone in mind.
 *
 * Times are of this machine and of this moment; nothing fails because of them.
 */
import type { CDPSession, Page } from 'playwright-core'
import { openLighthouse } from './lighthouse.ts'
import { waitForNames } from './journeys/searching.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

const SLOWER = 4
const ROUNDS = 5
const DESCRIPTION = 'a bakery that delivers by bicycle'
const SUFFIXES = 'com,net,org,shop,ai,io,dev,app,studio'

interface Watched {
  paint: number
  readonly events: { readonly name: string; readonly duration: number }[]
  readonly tasks: number[]
  readonly frames: number[]
}
declare global {
  interface Window {
    watched: Watched
  }
}

/** Runs in the page before anything else does. */
function watch(): void {
  const watched: Watched = { paint: 0, events: [], tasks: [], frames: [] }
  window.watched = watched
  const see = (type: string, take: (entry: PerformanceEntry) => void, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more })
  see('largest-contentful-paint', ({ startTime }) => (watched.paint = startTime))
  see('event', ({ name, duration }) => watched.events.push({ name, duration }), { durationThreshold: 16 })
  see('longtask', ({ duration }) => watched.tasks.push(duration))
}

async function openPage(stage: Stage, slower: number): Promise<{ page: Page; close: () => Promise<void> }> {
  const { page, context } = await stage.visit({ serviceWorkers: 'block' })
  const session: CDPSession = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
  await page.addInitScript(watch)
  return { page, close: () => context.close() }
}

const fieldOf = (page: Page) => page.getByRole('search').getByRole('textbox')
const drawn = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))

/** The longest that any event took since it was asked last, from the press to the next picture; 0 is less than 16 ms. */
async function delayOf(page: Page, act: () => Promise<void>): Promise<number> {
  await drawn(page)
  await page.evaluate(() => void window.watched.events.splice(0))
  await act()
  await drawn(page)
  return page.evaluate(() => Math.max(0, ...window.watched.events.map(({ duration }) => duration)))
}

async function slowRound(stage: Stage, withPointer: boolean): Promise<Record<string, number>> {
  const { page, close } = await openPage(stage, SLOWER)
  await page.goto('/')
  await fieldOf(page).waitFor()
  await page.waitForLoadState('networkidle')
  const paint = await page.evaluate(() => window.watched.paint)
  // Most come with a pointer that moves before they write; some write at once.
  if (withPointer) {
    await page.mouse.move(200, 200)
    await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /searched/.test(name)))
    // Until what was fetched is there, which no event tells.
    for (let frame = 0; frame < 30; frame++) await drawn(page)
  }
  const typing = await delayOf(page, () => fieldOf(page).pressSequentially(DESCRIPTION))
  if (!withPointer) {
    await close()
    return { 'typing at once': typing }
  }
  const filters = await delayOf(page, async () => {
    await page.getByRole('button', { name: 'Extensions' }).click()
    await page.getByRole('dialog').waitFor()
  })
  await page.keyboard.press('Escape')
  const enter = await delayOf(page, async () => {
    await fieldOf(page).press('Enter')
    await page.getByRole('article').first().waitFor()
  })
  await close()
  return { 'largest contentful paint': paint, typing, 'opening a filter': filters, 'Enter, to the next picture': enter }
}

/** A hundred names under nine suffixes, 900 cells, scrolled from end to end and back. */
async function scrollRound(stage: Stage): Promise<Record<string, number>> {
  const { page, close } = await openPage(stage, SLOWER)
  await page.addInitScript(() => localStorage.setItem('namewright.preferences', '{"view":"grid"}'))
  const asked = new URLSearchParams({ d: DESCRIPTION, n: '100', tlds: SUFFIXES, seed: '7' })
  await page.goto(`/?${String(asked)}`)
  await waitForNames(page, 90)
  await page.evaluate(() => {
    const { frames, tasks } = window.watched
    tasks.splice(0)
    const count = (at: number) => {
      frames.push(at)
      requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
  })
  for (const way of [400, -400]) for (let step = 0; step < 15; step++) await page.mouse.wheel(0, way)
  await drawn(page)
  const { frames, tasks } = await page.evaluate(() => window.watched)
  const gaps = frames.slice(1).map((at, index) => at - (frames[index] ?? at))
  const rows = await page.getByRole('row').count()
  await close()
  return {
    'scrolling, longest task': Math.max(0, ...tasks),
    'scrolling, longest time between pictures': Math.max(0, ...gaps),
    'scrolling, rows drawn at once (count)': rows,
  }
}

async function firstNameRound(stage: Stage, round: number): Promise<Record<string, number>> {
  const { page, close } = await openPage(stage, 1)
  await page.goto('/')
  await fieldOf(page).fill(`${DESCRIPTION}, shop ${round}`)
  await page.waitForLoadState('networkidle')
  const started = performance.now()
  await fieldOf(page).press('Enter')
  await page.getByRole('article').first().waitFor()
  const first = performance.now() - started
  await page.getByRole('progressbar').waitFor({ state: 'detached', timeout: 60_000 })
  const all = performance.now() - started
  await close()
  return { 'first name after Enter, full speed': first, 'all 20 names, full speed': all }
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

await using stage = await openStage()
const found = new Map<string, number[]>()
for (let round = 0; round < ROUNDS; round++) {
  const parts = [
    await slowRound(stage, true),
    await slowRound(stage, false),
    await scrollRound(stage),
    await firstNameRound(stage, round),
  ]
  for (const [name, value] of parts.flatMap((part) => Object.entries(part)))
    found.set(name, [...(found.get(name) ?? []), value])
}
console.log(`| what, in ms | middle of ${ROUNDS} | worst |`)
console.log('| --- | ---: | ---: |')
for (const [name, values] of found)
  console.log(`| ${name} | ${Math.round(middle(values))} | ${Math.round(Math.max(...values))} |`)

await using lighthouse = await openLighthouse()
const scores = []
for (let round = 0; round < ROUNDS; round++) scores.push(await lighthouse.audit(`${stage.url}/`))
const lines = scores.map(({ performance, benchmark }) => `${performance} (machine ${Math.round(benchmark)})`)
console.log(`\nLighthouse, performance: ${lines.join(', ')}`)
