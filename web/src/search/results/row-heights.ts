/**
 * Reports the height of each row of the grid when it changes, and again when its element is used for another row: what
 * is known of the element's height then holds for that row until the browser says otherwise.
 */
export interface RowHeights {
  /** Returns how to stop. */
  observe(element: HTMLElement): () => void
  repeat(element: HTMLElement): void
}

export function watchRowHeights(onHeight: (row: number, px: number) => void): RowHeights {
  const heights = new WeakMap<Element, number>()
  const repeat = (element: HTMLElement) => {
    const px = heights.get(element)
    if (px !== undefined) onHeight(Number(element.dataset['index']), px)
  }
  const observer = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      heights.set(target, Math.round(borderBoxSize[0]?.blockSize ?? 0))
      if (target.isConnected) repeat(target as HTMLElement)
    }
  })
  return {
    observe(element) {
      observer.observe(element)
      return () => observer.unobserve(element)
    },
    repeat,
  }
}
