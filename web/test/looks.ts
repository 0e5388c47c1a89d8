/**
 * How a page is looked at: light or dark, in a language, on a phone or a desk. Changed in place, as a reader changes it in
 * another tab, so that the page itself does not have to be brought about again.
 */
import type { Page } from 'playwright-core'

export interface Look {
  readonly theme: 'light' | 'dark'
  /** `en-XA` is made up of English; see catalogs.ts. */
  readonly language: 'en' | 'ar' | 'en-XA'
  readonly width: number
  readonly contrast?: 'more'
}

export const PHONE = 390
export const DESK = 1280
const PHONE_HEIGHT = 844
const DESK_HEIGHT = 900

export const nameOf = ({ theme, language, width, contrast }: Look): string =>
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

export async function show(page: Page, look: Look): Promise<void> {
  const { theme, language, width } = look
  await page.setViewportSize({ width, height: heightOf(width) })
  await page.evaluate(
    ({ key, change }) => {
      const remembered: object = JSON.parse(localStorage.getItem(key) ?? '{}')
      localStorage.setItem(key, JSON.stringify({ ...remembered, ...change }))
      dispatchEvent(new StorageEvent('storage', { key }))
    },
    { key: KEY, change: { theme, language, contrast: look.contrast ?? 'system' } },
  )
  await page.waitForFunction(
    ([wantedTheme, wantedLanguage]) => {
      const { dataset, lang } = document.documentElement
      return dataset['theme'] === wantedTheme && lang === wantedLanguage
    },
    [theme, language],
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
