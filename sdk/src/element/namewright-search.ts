/**
 * `<namewright-search>`: a search for names with domains that can be registered, for any page.
 *
 *   submit → stream of suggestions → choose → check again → `namewright-select` → registration URL
 *
 * Importing this file defines the element. Its light DOM content is the fallback where scripts do not run. The element
 * stores nothing, sets no cookies, and sends requests to the service only.
 */
import type { Suggestion } from '../api-types.ts'
import { createNamewright } from '../namewright.ts'
import type { Namewright } from '../namewright.ts'
import { createAnnouncer } from './announcer.ts'
import type { Announcer } from './announcer.ts'
import { ATTRIBUTES, registerUrlOf, settingsOf } from './attributes.ts'
import type { Settings } from './attributes.ts'
import { faultOf } from './faults.ts'
import type { Fault } from './faults.ts'
import { amountText } from './money.ts'
import { createResults } from './results.ts'
import { fillIn, findLanguage } from './texts.ts'
import { createView } from './view.ts'
import type { Row, View } from './view.ts'

/** The chosen domain, after it was checked again. Cancel the event to prevent the navigation. */
export interface NamewrightSelection {
  readonly domain: string
  readonly name: Suggestion['name']
  readonly price: string
}

/** Details of an error for the page. The visitor sees a message in their language. */
export interface NamewrightFault {
  readonly code: Fault['code']
  readonly message: string
  readonly requestId: string | undefined
}

declare global {
  interface HTMLElementTagNameMap {
    'namewright-search': NamewrightSearch
  }
  interface HTMLElementEventMap {
    'namewright-select': CustomEvent<NamewrightSelection>
    'namewright-error': CustomEvent<NamewrightFault>
  }
}

// A search takes as long as the client retries by default: a database failover. A visitor who has chosen waits for less,
// and checks go on during a failover.
const CHECK_BUDGET_MS = 8_000
const CHECK_MS = 4_000

// There is no HTMLElement during server-side rendering.
const Base: typeof HTMLElement = globalThis.HTMLElement ?? Object

export class NamewrightSearch extends Base {
  static readonly observedAttributes: readonly string[] = Object.keys(ATTRIBUTES)

  #view: View | undefined
  #announcer: Announcer | undefined
  #search: AbortController | undefined
  /** The check of the domain that was chosen. */
  #choice: AbortController | undefined

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    this.#view ??= createView(root, {
      submit: (description) => void this.#find(description),
      choose: (row, event) => this.#choose(row, event),
      linkOf: (domain) => registerUrlOf(this.#settings.registerUrl, domain, this.ownerDocument.baseURI),
    })
    this.#announcer = createAnnouncer(this.#view.region)
    this.#applyLanguage()
  }

  disconnectedCallback(): void {
    this.#search?.abort()
    this.#choice?.abort()
    this.#announcer?.close()
    // A moved element is idle in its new place.
    this.#view?.progress(undefined, 1)
    this.#view?.status('')
  }

  override focus(): void {
    this.#view?.focusInput()
  }

  attributeChangedCallback(): void {
    this.#applyLanguage()
  }

  get #settings(): Settings {
    return settingsOf((name) => this.getAttribute(name), import.meta.url)
  }

  get #language(): ReturnType<typeof findLanguage> {
    const page = this.closest<HTMLElement>('[lang]')?.lang
    return findLanguage([this.#settings.language, page, ...navigator.languages])
  }

  get #client(): Namewright {
    const { baseUrl, publishableKey: apiKey } = this.#settings
    return createNamewright({
      baseUrl,
      apiKey,
      language: this.#language,
      onAnswer: ({ isSandbox }) => this.#view?.sandbox(isSandbox),
    })
  }

  #applyLanguage(): void {
    this.#view?.setLanguage(this.#language)
  }

  async #find(description: string): Promise<void> {
    this.#search?.abort()
    this.#choice?.abort()
    const { signal } = (this.#search = new AbortController())
    const { count, tlds, language, handles } = this.#settings
    const view = this.#view
    if (!view) return
    const results = createResults()
    view.fail('', undefined)
    view.show([])
    view.progress(0, count)
    this.#announce(view.texts.looking)
    try {
      const body = {
        description,
        count,
        include: handles ? (['pricing', 'handles'] as const) : (['pricing'] as const),
        ...(tlds.length > 0 ? { tlds } : {}),
        ...(language === undefined ? {} : { language }),
      }
      let reason: string | undefined
      for await (const event of this.#client.stream(body, { signal })) {
        results.apply(event)
        if (event.event === 'done') reason = event.data.shortfall?.reason
        const found = results.list()
        view.show(found)
        view.progress(found.length, count)
        if (event.event !== 'done' && found.length > 0)
          this.#announce(fillIn(view.texts.soFar, { count: found.length }))
      }
      const { length } = results.list()
      if (length > 0) this.#announce(fillIn(view.texts.found, { count: length }))
      else if (reason === 'availability_unknown' || reason === 'deadline')
        this.#fail({ text: 'unchecked', again: true, code: reason }, undefined, () => void this.#find(description))
      else this.#fail({ text: 'none', again: false, code: 'no_names' }, undefined)
    } catch (error) {
      // Another search has started, or the element was removed from the page.
      if (signal.aborted) return
      this.#fail(faultOf(error), error, () => void this.#find(description))
    }
    if (!signal.aborted) view.progress(undefined, count)
  }

  #choose(row: Row, event: MouseEvent): void {
    // Opening another tab or window is left to the browser; the registrar checks the domain again.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void this.#confirm(row)
  }

  /** Checks the chosen domain again, without caches, because its availability may have changed. */
  async #confirm(row: Row): Promise<void> {
    const view = this.#view
    if (!view) return
    const { domain, pricing } = row.domain
    const say = (text: string) => {
      row.showMessage(text)
      this.#announcer?.announce(text)
    }
    this.#choice?.abort()
    const { signal } = (this.#choice = new AbortController())
    row.busy(true)
    say(fillIn(view.texts.checking, { domain }))
    try {
      const [now] = await this.#client.check(
        { domains: [domain], verify: 'full', deadline_ms: CHECK_MS },
        { signal, timeBudgetMs: CHECK_BUDGET_MS },
      )
      if (!now || now.status === 'unknown') return say(fillIn(view.texts.unsure, { domain }))
      if (!now.available) {
        row.disable()
        return say(fillIn(view.texts.gone, { domain }))
      }
      const isRepriced = now.pricing?.currency === pricing?.currency && !isSamePrice(now.pricing, pricing)
      if (isRepriced && now.price !== null && now.pricing) {
        row.reprice({ price: now.price, pricing: now.pricing })
        const { due_minor: due, currency } = now.pricing
        return say(fillIn(view.texts.repriced, { domain, price: amountText(due, currency, this.#language) }))
      }
      row.showMessage('')
      this.#leave(row)
    } catch (error) {
      // Another domain was chosen, another search has started, or the element was removed from the page.
      if (signal.aborted) return row.showMessage('')
      const fault = faultOf(error)
      say(fault.text === 'busy' ? view.texts.busy : fillIn(view.texts.unsure, { domain }))
      this.#report(fault, error)
    } finally {
      row.busy(false)
    }
  }

  #leave({ name, domain: { domain, price } }: Row): void {
    const detail: NamewrightSelection = { domain, name, price }
    const isNotCanceled = this.dispatchEvent(
      new CustomEvent('namewright-select', { detail, bubbles: true, composed: true, cancelable: true }),
    )
    const url = registerUrlOf(this.#settings.registerUrl, domain, this.ownerDocument.baseURI)
    if (isNotCanceled && url !== undefined) location.assign(url)
  }

  #announce(text: string): void {
    this.#view?.status(text)
    this.#announcer?.announce(text)
  }

  #fail(fault: Fault, error: unknown, again?: () => void): void {
    const view = this.#view
    view?.status('')
    view?.fail(view.texts[fault.text], fault.again ? again : undefined)
    if (fault.text !== 'none') this.#report(fault, error)
  }

  #report({ code, requestId }: Fault, error: unknown): void {
    const detail: NamewrightFault = { code, message: error instanceof Error ? error.message : String(error), requestId }
    this.dispatchEvent(new CustomEvent('namewright-error', { detail, bubbles: true, composed: true }))
  }
}

function isSamePrice(one: Row['domain']['pricing'] | null, other: Row['domain']['pricing']): boolean {
  return one?.due_minor === other?.due_minor
}

if (globalThis.customElements !== undefined && !customElements.get('namewright-search'))
  customElements.define('namewright-search', NamewrightSearch)
