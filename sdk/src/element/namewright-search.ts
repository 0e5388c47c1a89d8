/**
 * `<namewright-search>`: a search for names that can really be registered, for any page.
 *
 *   submit → stream of names, shown as they come → choose → checked again → `namewright-select` → the registrar
 *
 * Importing this file defines the element. What stands between its tags is shown until then, and stays where scripts do
 * not run. It keeps nothing, sets no cookie, and talks to nobody but the service.
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
import { createResults } from './results.ts'
import { fillIn, findLanguage } from './texts.ts'
import { createView } from './view.ts'
import type { Row, View } from './view.ts'

/** What was chosen, after it was checked again. Cancel the event to go on by yourself. */
export interface NamewrightSelection {
  readonly domain: string
  readonly name: Suggestion['name']
  readonly price: string
}

/** For the page, not for the visitor, who is told in their own words. */
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

// A visitor does not wait longer, and within it a lost connection is tried again.
const TIME_BUDGET_MS = 8_000
const CHECK_MS = 4_000

// On a server, where a page may be put together, there are no elements.
const Base: typeof HTMLElement = globalThis.HTMLElement ?? Object

export class NamewrightSearch extends Base {
  static readonly observedAttributes: readonly string[] = Object.keys(ATTRIBUTES)

  #view: View | undefined
  #announcer: Announcer | undefined
  #search: AbortController | undefined

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    this.#view ??= createView(root, {
      submit: (description) => void this.#find(description),
      choose: (row, event) => this.#choose(row, event),
      linkOf: (domain) => registerUrlOf(this.#settings.registerUrl, domain, this.ownerDocument.baseURI),
    })
    this.#announcer = createAnnouncer(this.#view.region)
    this.#speak()
  }

  disconnectedCallback(): void {
    this.#search?.abort()
    this.#announcer?.close()
    // Whoever puts it elsewhere in the page finds it at rest.
    this.#view?.progress(undefined, 1)
    this.#view?.status('')
  }

  override focus(): void {
    this.#view?.focusInput()
  }

  attributeChangedCallback(): void {
    this.#speak()
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
    return createNamewright({ baseUrl, apiKey, timeBudgetMs: TIME_BUDGET_MS, language: this.#language })
  }

  #speak(): void {
    this.#view?.speak(this.#language)
  }

  async #find(description: string): Promise<void> {
    this.#search?.abort()
    const { signal } = (this.#search = new AbortController())
    const { count, tlds, language } = this.#settings
    const view = this.#view
    if (!view) return
    const results = createResults()
    view.fail('', undefined)
    view.show([])
    view.progress(0, count)
    this.#tell(view.texts.looking)
    try {
      const body = {
        description,
        count,
        include: ['pricing'] as const,
        ...(tlds.length > 0 ? { tlds } : {}),
        ...(language === undefined ? {} : { language }),
      }
      for await (const event of this.#client.stream(body, { signal })) {
        results.hear(event)
        const found = results.list()
        view.show(found)
        view.progress(found.length, count)
        if (event.event !== 'done' && found.length > 0) this.#tell(fillIn(view.texts.soFar, { count: found.length }))
      }
      const { length } = results.list()
      if (length > 0) this.#tell(fillIn(view.texts.found, { count: length }))
      else this.#fail({ text: 'none', again: false, code: 'no_names' }, undefined)
    } catch (error) {
      // Another search has begun, or the element was taken out of the page.
      if (signal.aborted) return
      this.#fail(faultOf(error), error, () => void this.#find(description))
    }
    if (!signal.aborted) view.progress(undefined, count)
  }

  #choose(row: Row, event: MouseEvent): void {
    // Into another tab or window: that is between the visitor and the browser, and the registrar has the last word.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void this.#confirm(row)
  }

  /** A verdict is about a moment. So the one that is chosen is asked about again, and nothing remembered is used. */
  async #confirm(row: Row): Promise<void> {
    const view = this.#view
    if (!view) return
    const { domain, pricing } = row.domain
    const say = (text: string) => {
      row.tell(text)
      this.#announcer?.say(text)
    }
    row.busy(true)
    say(fillIn(view.texts.checking, { domain }))
    try {
      const [now] = await this.#client.check({ domains: [domain], verify: 'full', deadline_ms: CHECK_MS })
      if (!now || now.status === 'unknown') return say(fillIn(view.texts.unsure, { domain }))
      if (!now.available) {
        row.end()
        return say(fillIn(view.texts.gone, { domain }))
      }
      const isOther = now.pricing?.currency === pricing?.currency && !isSamePrice(now.pricing, pricing)
      if (isOther && now.price !== null && now.pricing) {
        row.reprice({ price: now.price, pricing: now.pricing })
        return say(fillIn(view.texts.repriced, { domain, price: now.price }))
      }
      row.tell('')
      this.#leave(row)
    } catch (error) {
      const fault = faultOf(error)
      say(fault.text === 'busy' ? view.texts.busy : fillIn(view.texts.unsure, { domain }))
      this.#report(fault, error)
    } finally {
      row.busy(false)
    }
  }

  #leave({ name, domain: { domain, price } }: Row): void {
    const detail: NamewrightSelection = { domain, name, price }
    const isWanted = this.dispatchEvent(
      new CustomEvent('namewright-select', { detail, bubbles: true, composed: true, cancelable: true }),
    )
    const url = registerUrlOf(this.#settings.registerUrl, domain, this.ownerDocument.baseURI)
    if (isWanted && url !== undefined) location.assign(url)
  }

  #tell(text: string): void {
    this.#view?.status(text)
    this.#announcer?.say(text)
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
  return one?.registration_minor === other?.registration_minor
}

if (globalThis.customElements !== undefined && !customElements.get('namewright-search'))
  customElements.define('namewright-search', NamewrightSearch)
