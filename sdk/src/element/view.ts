/**
 * What is on the screen. Made of elements one by one: markup in a string would be refused on a page with Trusted Types,
 * and a style attribute on a page with a strict Content-Security-Policy. Constructed style sheets are refused on neither.
 *
 * What somebody might be about to choose, or has the focus, is changed in place and never drawn anew.
 */
import type { DomainEntry } from '../api-types.ts'
import type { Found } from './results.ts'
import { moneyText } from './money.ts'
import { STYLE } from './style.ts'
import { fillIn, TEXTS } from './texts.ts'
import type { Language, Texts } from './texts.ts'

/** Of one domain on the list, and what can be told beside it. */
export interface Row {
  readonly name: string
  readonly domain: DomainEntry
  tell(text: string): void
  busy(is: boolean): void
  /** It cannot be chosen any more. */
  end(): void
  reprice(domain: Pick<DomainEntry, 'price' | 'pricing'>): void
}

export interface Handlers {
  submit(description: string): void
  choose(row: Row, event: MouseEvent): void
  /** Undefined: there is no link, only a button. */
  linkOf(domain: string): string | undefined
}

export interface View {
  speak(language: Language): void
  readonly texts: Texts
  readonly region: HTMLElement
  show(found: readonly Found[]): void
  /** Undefined: nothing is under way. */
  progress(done: number | undefined, of: number): void
  status(text: string): void
  fail(text: string, again: (() => void) | undefined): void
  focusInput(): void
}

// More would bury the next name; the best come first.
const MOST_DOMAINS = 3
const LONGEST = 2_000

export function createView(root: ShadowRoot, handlers: Handlers): View {
  const document = root.ownerDocument
  let language: Language = 'en'
  const items = new Map<string, { node: HTMLElement; rows: Map<string, Drawn> }>()

  const hint = make('p', { id: 'hint', class: 'hint', part: 'hint' })
  const label = make('label', { for: 'words', part: 'label' })
  const input = make('input', {
    id: 'words',
    part: 'input',
    name: 'description',
    type: 'text',
    required: '',
    maxlength: String(LONGEST),
    autocomplete: 'off',
    enterkeyhint: 'search',
    'aria-describedby': 'hint',
  })
  const submit = make('button', { class: 'submit', part: 'button', type: 'submit' })
  const form = make('form', { part: 'form', role: 'search' }, label, hint, input, submit)
  const said = make('span', {})
  const bar = make('progress', { part: 'progress', 'aria-hidden': 'true', hidden: '' })
  const status = make('p', { class: 'status', part: 'status', hidden: '' }, said, bar)
  const failure = make('div', { class: 'failure', part: 'failure', role: 'alert' })
  const list = make('ul', { class: 'results', part: 'results', role: 'list' })
  const note = make('p', { class: 'note', part: 'note', hidden: '' })
  // There before anything is said in it: a region that comes with its words is not read by all.
  const region = make('div', { class: 'spoken', role: 'status' })
  const box = make('div', { class: 'box', part: 'box' }, form, status, failure, list, note, region)

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    handlers.submit(input.value)
  })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
  root.append(box)

  interface Drawn extends Row {
    readonly node: HTMLElement
    write(): void
  }

  function drawRow(name: string, first: DomainEntry): Drawn {
    let domain = first
    let isOver = false
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
    const told = make('p', { class: 'told', part: 'told' })
    const row: Drawn = {
      name,
      get domain() {
        return domain
      },
      node: make('li', {}, node, told),
      write() {
        text.textContent = domain.domain
        choose.textContent = texts().choose
        price.textContent = priceOf(domain)
      },
      tell: (words) => void (told.textContent = words),
      busy: (is) => node.setAttribute('aria-busy', String(is)),
      end() {
        isOver = true
        node.setAttribute('aria-disabled', 'true')
        // A link that leads nowhere still has the focus of who followed it.
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
      if (isOver || node.getAttribute('aria-busy') === 'true') event.preventDefault()
      else handlers.choose(row, event as MouseEvent)
    })
    row.write()
    return row
  }

  function priceOf({ price, pricing }: DomainEntry): string {
    if (!pricing) return price
    const { registration_minor: first, renewal_minor: later, currency } = pricing
    const now = moneyText(first, currency, language)
    return later === first ? now : `${now} · ${fillIn(texts().renews, { price: moneyText(later, currency, language) })}`
  }

  function drawItem(name: string) {
    const domains = make('ul', { role: 'list' })
    const node = make(
      'li',
      { class: 'suggestion', part: 'suggestion' },
      make('bdi', { class: 'name', part: 'name' }, name),
      domains,
    )
    return { node, domains, rows: new Map<string, Drawn>() }
  }

  const texts = () => TEXTS[language]

  return {
    region,
    get texts() {
      return texts()
    },
    speak(chosen) {
      language = chosen
      const words = texts()
      box.lang = language
      box.dir = language === 'ar' ? 'rtl' : 'ltr'
      label.textContent = words.label
      hint.textContent = words.hint
      submit.textContent = words.submit
      note.textContent = words.firstYear
      list.setAttribute('aria-label', words.results)
      for (const { rows } of items.values()) for (const row of rows.values()) row.write()
    },

    show(found) {
      const names = new Set(found.map(({ name }) => name))
      for (const [name, { node }] of items) {
        if (names.has(name)) continue
        node.remove()
        items.delete(name)
      }
      for (const { name, domains } of found) {
        let item = items.get(name)
        if (!item) {
          const drawn = drawItem(name)
          item = drawn
          items.set(name, item)
          list.append(drawn.node)
        }
        const { rows, node } = item
        const best = domains.slice(0, MOST_DOMAINS)
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
            node.lastElementChild?.append(row.node)
          }
        }
      }
      note.hidden = found.length === 0
    },

    progress(done, of) {
      bar.hidden = done === undefined
      status.hidden = said.textContent === '' && bar.hidden
      bar.max = of
      bar.value = done ?? 0
      box.toggleAttribute('data-busy', done !== undefined)
      list.setAttribute('aria-busy', String(done !== undefined))
    },
    status(text) {
      said.textContent = text
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
