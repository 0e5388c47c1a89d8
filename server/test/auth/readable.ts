/**
 * Whether a page can be read as it stands in a browser: nothing beside the screen, and every text at least 4.5 : 1 to
 * what is behind it (WCAG 2.2, 1.4.3).
 */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export async function expectReadable(page: Page): Promise<void> {
  const { wide, faint } = await page.evaluate<{ wide: boolean; faint: string[] }>(FIND_UNREADABLE)
  expect(faint).toEqual([])
  expect(wide).toBe(false)
}

// Runs in the page, whose types are not ours.
const FIND_UNREADABLE = `(() => {
  const channels = (color) => [...color.matchAll(/[\\d.]+/g)].map(Number)
  const luminance = (color) => {
    const [red, green, blue] = channels(color).map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const behind = (element) => {
    if (!element) return 'rgb(255, 255, 255)'
    const { backgroundColor } = getComputedStyle(element)
    return channels(backgroundColor)[3] === 0 ? behind(element.parentElement) : backgroundColor
  }
  const contrast = (element) => {
    const [one, other] = [luminance(getComputedStyle(element).color), luminance(behind(element))]
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
  }
  const texts = [...document.body.querySelectorAll('*')].filter((element) =>
    element.matches('input:not([type=hidden]), select') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== ''))
  return {
    wide: document.documentElement.scrollWidth > innerWidth,
    faint: texts.filter((element) => contrast(element) < 4.5).map((element) => element.outerHTML),
  }
})()`
