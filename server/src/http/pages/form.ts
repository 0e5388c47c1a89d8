/** The parts of a form. A wrong field shows its own error and gets the focus. */
import type { Messages } from '../wire/language.ts'
import { attributes, html } from './html.ts'
import type { Html } from './html.ts'

export interface FormField {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'email' | 'password'
  /** The autofill field for password managers (HTML §4.10.18.7). */
  readonly autocomplete: 'username' | 'current-password' | 'new-password' | 'one-time-code' | 'name'
  readonly value?: string | undefined
  readonly hint?: string | undefined
  readonly wrong?: string | undefined
  /** Whether this field gets the focus. */
  readonly first?: boolean
  /** Shown, but not editable. */
  readonly fixed?: boolean
  /** Never for a password: a browser would truncate it silently. */
  readonly most?: number
}

export function fieldOf({ name, label, type, autocomplete, value, hint, wrong, first, fixed, most }: FormField): Html {
  const isName = autocomplete === 'name'
  const hintId = hint === undefined ? [] : [`${name}-hint`]
  const wrongId = wrong === undefined ? [] : [`${name}-wrong`]
  const input = attributes({
    id: name,
    name,
    type,
    autocomplete,
    value,
    required: true,
    readonly: fixed,
    maxlength: most,
    // A name has the direction of its own script; everything else here is written from left to right.
    dir: isName ? 'auto' : 'ltr',
    autocapitalize: isName ? 'words' : 'none',
    spellcheck: 'false',
    'aria-describedby': [...hintId, ...wrongId].join(' ') || undefined,
    'aria-invalid': wrong === undefined ? undefined : 'true',
    autofocus: first === true || wrong !== undefined,
  })
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input${input} />
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${wrong !== undefined && html`<p class="wrong" id="${name}-wrong">${wrong}</p>`}
  </div>`
}

/** Posts to our own path `to`, with `kept` as hidden fields. */
export function formOf(to: string, kept: Readonly<Record<string, string | undefined>>, content: Html): Html {
  const hidden = Object.entries(kept).map(([name, value]) =>
    value === undefined ? html`` : html`<input type="hidden" name="${name}" value="${value}" />`,
  )
  return html`<form method="post" action="${to}">${hidden} ${content}</form>`
}

export function mainButton(label: string): Html {
  return html`<button class="main">${label}</button>`
}

type FormTexts = Messages['pages']
type Given = Pick<FormField, 'value' | 'wrong' | 'first' | 'fixed'>

export function emailField(texts: FormTexts, given: Given): Html {
  return fieldOf({ name: 'email', label: texts.email, type: 'email', autocomplete: 'username', ...given })
}

export function nameField(texts: FormTexts, given: Given): Html {
  return fieldOf({ name: 'name', label: texts.name, type: 'text', autocomplete: 'name', most: 80, ...given })
}

/** Shows the password rules before and after an error. What was typed is never sent back. */
export function newPasswordField(texts: FormTexts, given: Given & { label: string }): Html {
  const hint = texts.weak_password
  return fieldOf({ name: 'password', type: 'password', autocomplete: 'new-password', hint, ...given })
}
