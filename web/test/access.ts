/**
 * Every page and state for everybody: WCAG 2.2 AA by axe, from left to right and from right to left, on a phone and on a
 * desk, in light, in dark and with more contrast; nothing to scroll sideways on the narrowest screens; and a focus that is
 * always seen.
 *
 * And all of it in the made-up language, whose texts stand in ⟦brackets⟧ and are two fifths longer: what has no brackets
 * does not come from the catalogs, and what is cut off would be so in German.
 *
 * All of it is tested at once because setting up a state takes as long as checking it.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bringAxe, violationsOn } from './axe.ts'
import { openCast, WRITTEN } from './cast.ts'
import type { Cast } from './cast.ts'
import { unseenStops } from './focus.ts'
import { DESK, nameOf, PHONE, show } from './appearances.ts'
import type { Appearance } from './appearances.ts'
import { openState } from './pages.ts'
import type { State } from './pages.ts'
import { cutTexts, strayTexts } from './texts.ts'

const NARROW: readonly Appearance[] = (['en', 'ar'] as const).map((language) => ({
  width: 320,
  language,
  theme: 'light',
}))
/** On every change one of the first three on each page, in turn; every night all. */
export const APPEARANCES: readonly Appearance[] = [
  { width: DESK, language: 'en', theme: 'light' },
  { width: PHONE, language: 'ar', theme: 'light' },
  { width: DESK, language: 'en', theme: 'dark' },
  { width: DESK, language: 'ar', theme: 'light' },
  { width: DESK, language: 'ar', theme: 'dark' },
  { width: PHONE, language: 'en', theme: 'light' },
  { width: PHONE, language: 'en', theme: 'dark' },
  { width: PHONE, language: 'ar', theme: 'dark' },
  { width: DESK, language: 'en', theme: 'light', contrast: 'more' },
  { width: DESK, language: 'en', theme: 'dark', contrast: 'more' },
]
/** The rules that a theme can break which its page in light does not: a theme is nothing but colours. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block']
/** Each with what a keyboard has to get past. */
const WALKED = ['search', 'search-compare-tray', 'search-grid', 'favorites', 'share', 'welcome-new', 'settings-keys']
const PATIENT = { timeout: 180_000 } as const

/** Declares the tests of these states. */
export function testAccess(states: readonly State[], appearancesOf: (state: State) => readonly Appearance[]): void {
  let cast: Cast
  const hosts = new Set<string>()
  beforeAll(async () => {
    cast = await openCast()
    for (const { context } of Object.values(cast.visits))
      context.on('request', (request) => hosts.add(new URL(request.url()).host))
  }, 180_000)
  afterAll(() => cast[Symbol.asyncDispose](), 120_000)

  describe.each(states)('$name', (state) => {
    let page: Page
    beforeAll(async () => {
      page = await openState(cast, state)
    }, 120_000)

    it('has all its texts from the catalogs, and all of them whole', PATIENT, async () => {
      for (const width of [DESK, PHONE]) {
        await show(page, { width, language: 'en-XA', theme: 'light' })
        if (width === DESK && state.isSaid !== true) expect(await strayTexts(page, WRITTEN)).toEqual([])
        expect(await cutTexts(page), `${width} px wide`).toEqual([])
      }
    })

    it('is without anything that axe finds', PATIENT, async () => {
      await bringAxe(page)
      const found: Record<string, readonly string[]> = {}
      expect(await page.locator('h1').count()).toBe(1)
      const appearances = appearancesOf(state)
      for (const appearance of appearances) {
        await show(page, appearance)
        const isSeenInLight =
          appearances.length > 1 && (appearance.theme === 'dark' || appearance.contrast !== undefined)
        const lines = await violationsOn(page, isSeenInLight ? OF_COLOUR : undefined)
        if (lines.length > 0) found[nameOf(appearance)] = lines
      }
      expect(found).toEqual({})
    })

    it('has nothing to scroll sideways', PATIENT, async () => {
      for (const appearance of NARROW) {
        await show(page, appearance)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect(wide, nameOf(appearance)).toBeLessThanOrEqual(0)
      }
    })

    if (!WALKED.includes(state.name)) return
    it('shows the keyboard where it is, on every stop', PATIENT, async () => {
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
}
