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
import { DESK, nameOf, PHONE, show } from './appearances.ts'
import type { Appearance } from './appearances.ts'
import { openState } from './pages.ts'
import type { State } from './pages.ts'

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

// More than any page of ours has.
const MAX_STOPS = 200

/** Walks a page by Tab and says where a reader would not see the focus: nothing drawn around it, or something over it. */
async function unseenStops(page: Page): Promise<string[]> {
  const unseen: string[] = []
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    await page.keyboard.press('Tab')
    const found = await page.evaluate(inspectFocus)
    if (found === 'end') return unseen
    if (found !== '') unseen.push(found)
  }
  throw new Error(`there are more than ${MAX_STOPS} stops`)
}

/** Runs in the page. Answers `end` behind the last stop, nothing when all is well. */
async function inspectFocus(): Promise<string> {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || focused === document.body) return 'end'
  // The browser scrolls to it first.
  await new Promise((resolve) => requestAnimationFrame(resolve))
  const hasOutline = (element: Element | null | undefined) => {
    if (!element) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
  }
  // A field without a frame of its own is drawn around with the frame that it stands in.
  const isDrawn = hasOutline(focused) || hasOutline(focused.parentElement)
  const [box = focused.getBoundingClientRect()] = focused.getClientRects()
  const within = (from: number, to: number, most: number) =>
    (Math.max(0, Math.min(most, from)) + Math.max(0, Math.min(most, to))) / 2
  const hit = document.elementFromPoint(
    within(box.left, box.right, innerWidth - 1),
    within(box.top, box.bottom, innerHeight - 1),
  )
  const labels = focused instanceof HTMLInputElement ? [...(focused.labels ?? [])] : []
  const isOpen = hit !== null && [focused, ...labels].some((one) => one.contains(hit) || hit.contains(one))
  if (isDrawn && isOpen) return ''
  const what = isDrawn ? `is under ${hit?.outerHTML.slice(0, 120) ?? 'nothing'}` : 'has no outline'
  return `${focused.outerHTML.slice(0, 160)} ${what}`
}

/**
 * Visible and audible texts that are neither from the catalogs nor data. Data is what is marked as not to be translated,
 * what is code, what somebody has written (`written`), and what DATA lists; what was announced was so in its moment.
 */
function strayTexts(page: Page, written: readonly string[]): Promise<string[]> {
  return page.evaluate(
    ([data, known]) => {
      const stray = new Set<string>()
      const isData = (text: string) =>
        text.includes('⟦') || known.includes(text) || data.some((pattern) => new RegExp(pattern, 'iu').test(text))
      const isInside = (element: Element) =>
        element.closest(
          '[translate=no], code, kbd, pre, script, style, noscript, title, textarea, time, [aria-live]',
        ) !== null
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement
        const text = (node.textContent ?? '').replaceAll(/[\u2066-\u2069]/g, '').trim()
        if (!element || !/\p{L}/u.test(text) || isInside(element) || !element.checkVisibility()) continue
        // A text with elements inside is several nodes; its brackets stand around all of them.
        const whole =
          element.closest('p, li, dt, dd, td, th, label, legend, button, h1, h2, h3, div')?.textContent ?? ''
        if (!isData(text) && !isWithin(whole, text)) stray.add(text.slice(0, 100))
      }
      for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')) {
        for (const name of ['aria-label', 'placeholder', 'title', 'alt']) {
          const text = element.getAttribute(name) ?? ''
          if (/\p{L}/u.test(text) && !isData(text) && !isInside(element)) stray.add(`${name}=${text.slice(0, 100)}`)
        }
      }
      return [...stray]

      function isWithin(sentence: string, text: string): boolean {
        const at = sentence.indexOf(text)
        const opened = sentence.lastIndexOf('⟦', at)
        return at >= 0 && opened >= 0 && sentence.indexOf('⟧', at) >= 0 && !sentence.slice(opened, at).includes('⟧')
      }
    },
    [DATA, written] as const,
  )
}

/** Each with its reason. */
const DATA = [
  // An address of the web, of mail, of a machine, or a part of one.
  String.raw`^\S+@\S+$|^https?://|^\.?[\w-]+(?:\.[\w-]+)+$|^\.\w+$`,
  // An operation of the API.
  '^(?:GET|POST|PUT|PATCH|DELETE) /',
  // A language of programs, or a tool, by its name.
  '^(?:curl|TypeScript|Python)$',
  // A moment, an amount or a unit as the browser's language writes it.
  String.raw`^[\d\s.,:/$€£+%-]*(?:ago|in|now|today|yesterday|tomorrow|seconds?|minutes?|hours?|days?|weeks?|months?|years?|[ap]m|at|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|of|Mon|Tue|Wed|Thu|Fri|Sat|Sun|\d|\W)+$`,
  // A currency by its code, a language by its name.
  '^[A-Z]{3}$|^English$',
  // The service answers in the language it was asked in: where a name comes from, and why it refuses.
  ' · from “|^The suffix “',
  // An account and a program of the service itself, by their names.
  '^(?:Visitors|Namewright web app)$',
]

/** What is wider than its place, and what makes the page itself wider than the window. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cut: string[] = []
    const wide = document.documentElement.scrollWidth - innerWidth
    if (wide > 0) cut.push(`the page is ${wide} px too wide`)
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const { overflowX, textOverflow, position, clip } = getComputedStyle(element)
      // For screen readers only; and what scrolls does not cut.
      const isHidden = !element.checkVisibility() || (position === 'absolute' && clip !== 'auto')
      if (
        isHidden ||
        element.clientWidth <= 1 ||
        (overflowX !== 'hidden' && overflowX !== 'clip' && textOverflow !== 'ellipsis')
      )
        continue
      // Names are data: a long one is shortened in the grid, and whole in its details. The head of the grid is moved along
      // with its body, which scrolls.
      if (element.matches('bdi[translate=no], [role=grid] > :has(> [role=row])')) continue
      if (element.scrollWidth > element.clientWidth + 1)
        cut.push(`${element.outerHTML.slice(0, 160)} is cut by ${element.scrollWidth - element.clientWidth} px`)
    }
    return cut
  })
}
