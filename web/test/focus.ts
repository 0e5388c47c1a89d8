/** Walks a page by Tab and says where a reader would not see the focus: nothing drawn around it, or something over it. */
import type { Page } from 'playwright-core'

// More than any page of ours has.
const MAX_STOPS = 200

export async function unseenStops(page: Page): Promise<string[]> {
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
