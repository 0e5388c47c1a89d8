/**
 * The appearance of a page: light or dark, in a language, on a phone or a desk. Changed in place, as a reader changes it in
 * another tab, so that the page itself does not have to be brought about again.
 */
import type { Page } from 'playwright-core'
import type { Language } from '../src/i18n/languages.ts'

export interface Appearance {
  readonly theme: 'light' | 'dark'
  /** `en-XA` is made up of English; see catalogs.ts. */
  readonly language: Language
  readonly width: number
  readonly contrast?: 'more'
}

export const PHONE = 390
export const DESK = 1280
const PHONE_HEIGHT = 844
const DESK_HEIGHT = 900

export const nameOf = ({ theme, language, width, contrast }: Appearance): string =>
  [language, theme, width < 640 ? 'phone' : 'desk', contrast && 'contrast'].filter(Boolean).join('-')

export const heightOf = (width: number): number => (width < 640 ? PHONE_HEIGHT : DESK_HEIGHT)

const KEY = 'namewright.preferences'

/** As for somebody who has never been here, in English, and with nothing that moves. */
export async function forget(page: Page, preferences: Readonly<Record<string, string>> = {}): Promise<void> {
  await page.evaluate(
    ([key, remembered]) => {
      sessionStorage.clear()
      localStorage.clear()
      localStorage.setItem(key, remembered)
    },
    [KEY, JSON.stringify({ language: 'en', theme: 'light', motion: 'less', ...preferences })] as const,
  )
}

// On a machine with other work to do.
const MAX_MS = 30_000

/** All in one go, because the way to the page and back costs more than the change. */
export async function show(page: Page, appearance: Appearance): Promise<void> {
  const { theme, language, width } = appearance
  const now = page.viewportSize()
  if (now?.width !== width || now.height !== heightOf(width))
    await page.setViewportSize({ width, height: heightOf(width) })
  await page.evaluate(
    async ({ key, change, longestMs }) => {
      const remembered: object = JSON.parse(localStorage.getItem(key) ?? '{}')
      localStorage.setItem(key, JSON.stringify({ ...remembered, ...change }))
      dispatchEvent(new StorageEvent('storage', { key }))
      const { dataset } = document.documentElement
      const until = performance.now() + longestMs
      while (dataset['theme'] !== change.theme || document.documentElement.lang !== change.language) {
        if (performance.now() > until) throw new Error(`the page never became ${change.theme} and ${change.language}`)
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    },
    { key: KEY, change: { theme, language, contrast: appearance.contrast ?? 'system' }, longestMs: MAX_MS },
  )
  await settle(page)
}

/** Drawn, with its fonts, and nothing moves any more. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await document.fonts.ready
    await frame()
    await frame()
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
  })
}
