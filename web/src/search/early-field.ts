/** What a reader has done with the prerendered field before the app replaces it. */
export interface EarlyInput {
  readonly text: string
  readonly hasFocus: boolean
  /** Enter was pressed, which without the app begins a line. */
  readonly isSent: boolean
}

/**
 * Undefined once the app is there, and during the build. The page is drawn in steps, between which a reader goes on
 * typing: what is returned reads the field at the moment of the call, even after it has left the page.
 */
export function findEarlyField(): (() => EarlyInput) | undefined {
  const field = globalThis.document?.querySelector<HTMLTextAreaElement>('[data-prerendered] textarea')
  if (!field) return undefined
  let hasFocus = document.activeElement === field
  field.addEventListener('focus', () => (hasFocus = true))
  return () => {
    const { value } = field
    const isSent = /\S\n$/.test(value)
    return { text: isSent ? value.trimEnd() : value, hasFocus, isSent }
  }
}
