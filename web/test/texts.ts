/** What can be read on a page, and whether it can be read whole. Both answer with what is wrong, each in a line. */
import type { Page } from 'playwright-core'

/**
 * Visible and audible texts that are neither from the catalogs nor data. Data is what is marked as not to be translated,
 * what is code, what somebody has written (`written`), and what DATA lists; what was announced was so in its moment.
 */
export function strayTexts(page: Page, written: readonly string[]): Promise<string[]> {
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
export function cutTexts(page: Page): Promise<string[]> {
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
