/** What a reader has done with the prerendered field before the app replaces it. Undefined later, and during the build. */
export interface EarlyField {
  readonly text: string
  readonly hasFocus: boolean
  /** Enter was pressed, which without the app begins a line. */
  readonly isSent: boolean
}

export function findEarlyField(): EarlyField | undefined {
  const field = globalThis.document?.querySelector<HTMLTextAreaElement>('[data-prerendered] textarea')
  if (!field) return undefined
  const { value } = field
  const isSent = /\S\n$/.test(value)
  return { text: isSent ? value.trimEnd() : value, hasFocus: document.activeElement === field, isSent }
}
