/**
 * Places popovers beside what opened them in browsers without CSS anchors (`position-area` in app.css), by the same rules:
 * below, above if there is no room, and never over the edge of the window. On a phone a sheet stays at the lower edge.
 *
 * A style that the browser does not know stays on the element's style object as a plain property, where React has put it;
 * so the names of anchors can be read there.
 */
interface Anchored {
  readonly anchorName?: string
  readonly positionAnchor?: string
}

const GAP = 6
const EDGE = 8
// As in app.css: a panel is at most this high. One that keeps below its anchor may be shorter, down to this height.
const SHEET_MAX = 544
const SHEET_MIN = 288

const open = new Set<HTMLElement>()
const nameOf = ({ style }: HTMLElement): Anchored => style

export function placePopovers(): void {
  document.addEventListener(
    'beforetoggle',
    ({ target, newState }: ToggleEvent) => {
      if (!(target instanceof HTMLElement) || !nameOf(target).positionAnchor) return
      if (newState === 'open') open.add(target)
      else open.delete(target)
      // Before the frame in which it is first seen.
      requestAnimationFrame(placeAll)
    },
    true,
  )
  // What is inside may come later, or the page may move.
  addEventListener('scroll', () => requestAnimationFrame(placeAll), { capture: true, passive: true })
  addEventListener('resize', placeAll)
  new MutationObserver(placeAll).observe(document.body, { childList: true, subtree: true })
}

function placeAll(): void {
  for (const popover of open) {
    if (popover.isConnected) place(popover)
    else open.delete(popover)
  }
}

function place(popover: HTMLElement): void {
  const { style } = popover
  const anchor = findAnchor(popover)
  if (!anchor || (popover.matches('.sheet') && matchMedia('(width < 40rem)').matches)) {
    style.removeProperty('left')
    style.removeProperty('top')
    style.removeProperty('max-height')
    return
  }
  const at = anchor.getBoundingClientRect()
  const { width } = popover.getBoundingClientRect()
  const below = innerHeight - at.bottom - 2 * GAP
  const isShortened = popover.matches('.keep-below') && heightOf(popover) > below && below >= SHEET_MIN
  if (isShortened) style.setProperty('max-height', `${below}px`)
  else style.removeProperty('max-height')
  const needed = (isShortened ? below : heightOf(popover)) + 2 * GAP
  const isBelow = at.bottom + needed <= innerHeight || innerHeight - at.bottom >= at.top
  const top = isBelow ? Math.min(at.bottom, innerHeight - needed) : at.top - needed
  const left = Math.min(leftOf(popover, at, width), document.documentElement.clientWidth - width - EDGE)
  // Its margin is in addition, as with an anchor.
  style.setProperty('top', `${Math.max(0, top)}px`)
  style.setProperty('left', `${Math.max(EDGE, left) - Number.parseFloat(getComputedStyle(popover).marginLeft)}px`)
}

/** As high as what is inside wants it, also while it is shortened: measuring must not move what somebody scrolls. */
function heightOf(popover: HTMLElement): number {
  if (!popover.style.maxHeight) return popover.offsetHeight
  const wanted = popover.scrollHeight + popover.offsetHeight - popover.clientHeight
  return Math.min(wanted, SHEET_MAX, 0.8 * innerHeight)
}

/** A hint stands in the middle, a sheet begins where its anchor begins, and a menu ends where its anchor ends. */
function leftOf(popover: HTMLElement, at: DOMRect, width: number): number {
  if (popover.matches('.hint')) return at.left + (at.width - width) / 2
  const isRtl = getComputedStyle(popover).direction === 'rtl'
  return popover.matches('.sheet') === isRtl ? at.right - width : at.left
}

function findAnchor(popover: HTMLElement): HTMLElement | undefined {
  const name = nameOf(popover).positionAnchor
  const isAnchor = (element: HTMLElement) => nameOf(element).anchorName === name
  const trigger = popover.id && document.querySelector<HTMLElement>(`[popovertarget="${CSS.escape(popover.id)}"]`)
  if (trigger && isAnchor(trigger)) return trigger
  return [...document.querySelectorAll<HTMLElement>('body *')].find(isAnchor)
}
