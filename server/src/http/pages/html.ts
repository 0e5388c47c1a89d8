/**
 * An HTML template that escapes every inserted value, unless the template itself produced it. It must be impossible to
 * write unescaped text by accident.
 */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** `undefined` and `false` insert nothing. */
export type Insert = string | number | Html | readonly Html[] | undefined | false

export function html(strings: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  return new Html(strings.map((part, at) => part + textOf(inserts[at])).join(''))
}

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** `true` writes an attribute without a value; `undefined` and `false` write no attribute. */
export function attributes(all: Readonly<Record<string, string | number | boolean | undefined>>): Html {
  const written = Object.entries(all).map(([name, value]) => {
    if (value === undefined || value === false) return html``
    return value === true ? html` ${name}` : html` ${name}="${value}"`
  })
  return html`${written}`
}

/** Fills values into a message: `{client}`. Each keeps its own writing direction, whatever surrounds it. */
export function fillHtml(text: string, params: Readonly<Record<string, string>>): Html {
  const parts = text.split(/\{(\w+)\}/).map((part, at) => {
    if (at % 2 === 0) return html`${part}`
    const value = params[part]
    return value === undefined ? html`${`{${part}}`}` : html`<bdi>${value}</bdi>`
  })
  return html`${parts}`
}

function textOf(insert: Insert): string {
  if (insert === undefined || insert === false) return ''
  if (insert instanceof Html) return insert.text
  if (typeof insert === 'object') return insert.map(({ text }) => text).join('')
  return escape(String(insert))
}
