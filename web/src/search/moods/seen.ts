/** Marks an element when it comes into view, once: one observer for all tiles. */
const NEAR = '160px'

let observer: IntersectionObserver | undefined

function mark(entries: readonly IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    target.setAttribute('data-seen', '')
    observer?.unobserve(target)
  }
}

/** The ref of an element. */
export function watchSeen(element: Element | null): (() => void) | undefined {
  if (!element) return undefined
  observer ??= new IntersectionObserver(mark, { rootMargin: NEAR })
  observer.observe(element)
  return () => observer?.unobserve(element)
}
