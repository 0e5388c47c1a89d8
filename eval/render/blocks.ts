/** A report as plain blocks, so that terminal, Markdown and HTML say the same. */

export interface Cell {
  readonly text: string
  /** Set where a figure has an aim. */
  readonly reached?: boolean
}

export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: 'names'; readonly title: string; readonly names: readonly string[] }

export function cell(text: string, reached?: boolean): Cell {
  return reached === undefined ? { text } : { text, reached }
}
