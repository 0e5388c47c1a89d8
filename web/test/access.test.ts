/**
 * Every page and state for everybody: WCAG 2.2 AA by axe, in light and dark, from left to right and from right to left, on
 * a phone and on a desk; enough contrast for who asks for more; nothing to scroll sideways on the narrowest screens; and a
 * focus that is always seen.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bringAxe, violationsOn } from './axe.ts'
import { openCast } from './cast.ts'
import type { Cast } from './cast.ts'
import { unseenStops } from './focus.ts'
import { DESK, nameOf, PHONE, show } from './looks.ts'
import type { Look } from './looks.ts'
import { openState, STATES } from './pages.ts'

const LOOKS: readonly Look[] = [DESK, PHONE].flatMap((width) =>
  (['en', 'ar'] as const).flatMap((language) =>
    (['light', 'dark'] as const).map((theme) => ({ width, language, theme })),
  ),
)
const NARROW: readonly Look[] = (['en', 'ar'] as const).map((language) => ({ width: 320, language, theme: 'light' }))
const CONTRAST: readonly Look[] = (['light', 'dark'] as const).map((theme) => ({
  width: DESK,
  language: 'en',
  contrast: 'more',
  theme,
}))
/** The rules that a theme can break which its page in light does not: a theme is nothing but colours. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block']
/** Each with what a keyboard has to get past. */
const WALKED = ['search', 'search-compare-tray', 'search-grid', 'favorites', 'share', 'welcome-new', 'settings-keys']

let cast: Cast
const hosts = new Set<string>()
beforeAll(async () => {
  cast = await openCast()
  for (const { context } of Object.values(cast.visits))
    context.on('request', (request) => hosts.add(new URL(request.url()).host))
}, 180_000)
afterAll(() => cast[Symbol.asyncDispose](), 120_000)

describe('axe finds nothing on', () => {
  it.each(STATES)('$name', { timeout: 180_000 }, async (state) => {
    const page = await openState(cast, state)
    await bringAxe(page)
    const found: Record<string, readonly string[]> = {}
    const note = (look: Look, lines: readonly string[]) => {
      if (lines.length > 0) found[nameOf(look)] = lines
    }
    expect(await page.locator('h1').count()).toBe(1)
    for (const look of LOOKS) {
      await show(page, look)
      note(look, await violationsOn(page, look.theme === 'dark' ? OF_COLOUR : undefined))
    }
    for (const look of CONTRAST) {
      await show(page, look)
      note(look, await violationsOn(page, OF_COLOUR))
    }
    for (const look of NARROW) {
      await show(page, look)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (wide > 0) note(look, [`scrolls sideways by ${wide} px`])
    }
    expect(found).toEqual({})
  })
})

describe('the keyboard', () => {
  const walks = STATES.filter(({ name }) => WALKED.includes(name))
  it.each(walks)('sees where it is on every stop of $name', { timeout: 180_000 }, async (state) => {
    const page = await openState(cast, state)
    for (const width of [DESK, PHONE]) {
      await show(page, { width, language: 'en', theme: 'light' })
      expect(await unseenStops(page)).toEqual([])
    }
  })
})

it('no page of all these has asked anybody but the service, or complained', () => {
  expect([...hosts]).toEqual([new URL(cast.stage.url).host])
  expect(Object.values(cast.visits).flatMap(({ complaints }) => complaints)).toEqual([])
})
