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
    return
  }
  const at = anchor.getBoundingClientRect()
  const { width, height } = popover.getBoundingClientRect()
  const needed = height + 2 * GAP
  const isBelow = at.bottom + needed <= innerHeight || innerHeight - at.bottom >= at.top
  const top = isBelow ? Math.min(at.bottom, innerHeight - needed) : at.top - needed
  const left = Math.min(leftOf(popover, at, width), document.documentElement.clientWidth - width - EDGE)
  // Its margin is in addition, as with an anchor.
  style.setProperty('top', `${Math.max(0, top)}px`)
  style.setProperty('left', `${Math.max(EDGE, left) - Number.parseFloat(getComputedStyle(popover).marginLeft)}px`)
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
