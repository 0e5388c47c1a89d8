/**
 * The DOM of the element. It is created element by element, with a constructed style sheet: Trusted Types would block
 * markup in a string, and a strict Content-Security-Policy would block style attributes.
 *
 * Rows are updated in place and never recreated, because a row may have the focus or be about to be clicked.
 */
import type { DomainEntry, Handles } from '../api-types.ts'
import type { Found } from './results.ts'
import { moneyText } from './money.ts'
import { STYLE } from './style.ts'
import { fillIn, TEXTS } from './texts.ts'
import type { Language, Texts } from './texts.ts'

/** One domain in the list, with a message below it. */
export interface Row {
  readonly name: string
  readonly domain: DomainEntry
  showMessage(text: string): void
  busy(is: boolean): void
  /** Disables the choice. */
  disable(): void
  reprice(domain: Pick<DomainEntry, 'price' | 'pricing'>): void
}

export interface Handlers {
  submit(description: string): void
  choose(row: Row, event: MouseEvent): void
  /** Undefined: the row is a button instead of a link. */
  linkOf(domain: string): string | undefined
}

export interface View {
  setLanguage(language: Language): void
  readonly texts: Texts
  readonly region: HTMLElement
  show(found: readonly Found[]): void
  /** Undefined hides the progress bar. */
  progress(done: number | undefined, of: number): void
  status(text: string): void
  fail(text: string, again: (() => void) | undefined): void
  /** Shows or hides the sandbox notice. */
  sandbox(is: boolean): void
  focusInput(): void
}

// Keeps the list of names short; the best domains come first.
const MAX_DOMAINS = 3
const MAX_DESCRIPTION_LENGTH = 2_000

export function createView(root: ShadowRoot, handlers: Handlers): View {
  const document = root.ownerDocument
  let language: Language = 'en'
  const items = new Map<string, DrawnItem>()

  const hint = make('p', { id: 'hint', class: 'hint', part: 'hint' })
  const sandbox = make('p', { class: 'sandbox', part: 'sandbox', role: 'note', hidden: '' })
  const label = make('label', { for: 'words', part: 'label' })
  const input = make('input', {
    id: 'words',
    part: 'input',
    name: 'description',
    type: 'text',
    required: '',
    maxlength: String(MAX_DESCRIPTION_LENGTH),
    autocomplete: 'off',
    enterkeyhint: 'search',
    'aria-describedby': 'hint',
  })
  const submit = make('button', { class: 'submit', part: 'button', type: 'submit' })
  const form = make('form', { part: 'form', role: 'search' }, label, hint, input, submit)
  const statusText = make('span', {})
  const bar = make('progress', { part: 'progress', 'aria-hidden': 'true', hidden: '' })
  const status = make('p', { class: 'status', part: 'status', hidden: '' }, statusText, bar)
  const failure = make('div', { class: 'failure', part: 'failure', role: 'alert' })
  const list = make('ul', { class: 'results', part: 'results', role: 'list' })
  const note = make('p', { class: 'note', part: 'note', hidden: '' })
  // Must exist before its text: not every screen reader reads a live region that is added with text.
  const region = make('div', { class: 'spoken', role: 'status' })
  const box = make('div', { class: 'box', part: 'box' }, sandbox, form, status, failure, list, note, region)

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    handlers.submit(input.value)
  })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
  root.append(box)

  interface DrawnItem {
    readonly node: HTMLElement
    readonly domains: HTMLElement
    readonly rows: Map<string, Drawn>
    readonly elsewhere: HTMLElement
    handles: Handles | undefined
  }

  interface Drawn extends Row {
    readonly node: HTMLElement
    write(): void
  }

  function drawRow(name: string, first: DomainEntry): Drawn {
    let domain = first
    let isDisabled = false
    const price = make('span', { class: 'price', part: 'price' })
    const choose = make('span', { class: 'choose', part: 'choose' })
    const text = make('bdi', { dir: 'ltr' })
    const link = handlers.linkOf(domain.domain)
    const node = make(
      link === undefined ? 'button' : 'a',
      { class: 'domain', part: 'domain', ...(link === undefined ? { type: 'button' } : { href: link }) },
      text,
      price,
      choose,
    )
    const message = make('p', { class: 'message', part: 'message' })
    const row: Drawn = {
      name,
      get domain() {
        return domain
      },
      node: make('li', {}, node, message),
      write() {
        text.textContent = domain.domain
        choose.textContent = texts().choose
        price.textContent = priceOf(domain)
      },
      showMessage: (words) => void (message.textContent = words),
      busy: (is) => node.setAttribute('aria-busy', String(is)),
      disable() {
        isDisabled = true
        node.setAttribute('aria-disabled', 'true')
        // A link without href keeps the focus if it has a tabindex.
        node.removeAttribute('href')
        node.setAttribute('role', link === undefined ? 'button' : 'link')
        node.setAttribute('tabindex', '0')
      },
      reprice(change) {
        domain = { ...domain, ...change }
        row.write()
      },
    }
    node.addEventListener('click', (event) => {
      if (isDisabled || node.getAttribute('aria-busy') === 'true') event.preventDefault()
      else handlers.choose(row, event as MouseEvent)
    })
    row.write()
    return row
  }

  function priceOf({ price, pricing }: DomainEntry): string {
    if (!pricing) return price
    const { due_minor: due, term_years: years, registration_minor: first, renewal_minor: later, currency } = pricing
    return [
      moneyText(due, currency, language),
      ...(years > 1 ? [fillIn(texts().minimumTerm, { years })] : []),
      ...(later === first ? [] : [fillIn(texts().renews, { price: moneyText(later, currency, language) })]),
    ].join(' · ')
  }

  function drawItem(name: string): DrawnItem {
    const domains = make('ul', { role: 'list' })
    const elsewhere = make('p', { class: 'elsewhere', part: 'handles', hidden: '' })
    const node = make(
      'li',
      { class: 'suggestion', part: 'suggestion' },
      make('bdi', { class: 'name', part: 'name' }, name),
      domains,
      elsewhere,
    )
    return { node, domains, rows: new Map<string, Drawn>(), elsewhere, handles: undefined }
  }

  /** Where the name is taken, and how many others show no entry or are unknown. Nothing is called available. */
  function writeHandles({ elsewhere, handles }: DrawnItem): void {
    elsewhere.hidden = handles === undefined
    if (!handles) return
    const all = [...handles.packages, ...handles.code]
    const taken = all
      .filter((one) => one.status !== 'unknown' && one.status !== 'available')
      .map(({ namespace }) => namespace)
    const absent = all.filter(({ rule }) => rule === 'not_found').length
    const unknown = all.length - taken.length - absent
    const { takenAt, absentAt, unknownAt } = texts()
    elsewhere.textContent = [
      ...(taken.length > 0 ? [fillIn(takenAt, { where: taken.join(', ') })] : []),
      ...(absent > 0 ? [fillIn(absentAt, { count: absent })] : []),
      ...(unknown > 0 ? [fillIn(unknownAt, { count: unknown })] : []),
    ].join(' · ')
  }

  const texts = () => TEXTS[language]

  return {
    region,
    get texts() {
      return texts()
    },
    setLanguage(chosen) {
      language = chosen
      const words = texts()
      box.lang = language
      box.dir = language === 'ar' ? 'rtl' : 'ltr'
      sandbox.textContent = words.sandbox
      label.textContent = words.label
      hint.textContent = words.hint
      submit.textContent = words.submit
      note.textContent = words.due
      list.setAttribute('aria-label', words.results)
      for (const item of items.values()) {
        for (const row of item.rows.values()) row.write()
        writeHandles(item)
      }
    },

    show(found) {
      const names = new Set(found.map(({ name }) => name))
      for (const [name, { node }] of items) {
        if (names.has(name)) continue
        node.remove()
        items.delete(name)
      }
      for (const { name, domains, handles } of found) {
        let item = items.get(name)
        if (!item) {
          item = drawItem(name)
          items.set(name, item)
          list.append(item.node)
        }
        if (item.handles !== handles) {
          item.handles = handles
          writeHandles(item)
        }
        const { rows } = item
        const best = domains.slice(0, MAX_DOMAINS)
        const wanted = new Set(best.map(({ domain }) => domain))
        for (const [domain, row] of rows) {
          if (wanted.has(domain)) continue
          row.node.remove()
          rows.delete(domain)
        }
        for (const one of best) {
          const known = rows.get(one.domain)
          if (known) known.reprice(one)
          else {
            const row = drawRow(name, one)
            rows.set(one.domain, row)
            item.domains.append(row.node)
          }
        }
      }
      note.hidden = found.length === 0
    },

    progress(done, of) {
      bar.hidden = done === undefined
      status.hidden = statusText.textContent === '' && bar.hidden
      bar.max = of
      bar.value = done ?? 0
      box.toggleAttribute('data-busy', done !== undefined)
      list.setAttribute('aria-busy', String(done !== undefined))
    },
    status(text) {
      statusText.textContent = text
      status.hidden = text === '' && bar.hidden
    },
    fail(text, again) {
      failure.replaceChildren()
      if (text === '') return
      failure.append(make('p', {}, text))
      if (!again) return
      const button = make('button', { class: 'again', part: 'retry', type: 'button' }, texts().again)
      button.addEventListener('click', () => {
        input.focus()
        again()
      })
      failure.append(button)
    },
    sandbox: (is) => void (sandbox.hidden = !is),
    focusInput: () => input.focus(),
  }

  function make<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    attributes: Readonly<Record<string, string>>,
    ...children: (Node | string)[]
  ): HTMLElementTagNameMap[Tag] {
    const node = document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
    node.append(...children)
    return node
  }
}
