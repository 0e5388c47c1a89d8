/**
 * The attributes of the element, parsed into settings. Parsing never fails: an invalid attribute falls back to its
 * default, so that the page still has a search.
 */

/** Every attribute with its default. A test compares the table of the manual with this one. */
export const ATTRIBUTES = {
  'base-url': 'the origin of the script',
  'publishable-key': 'none: it is required',
  tlds: 'the defaults of the service',
  count: '8',
  language: 'the language of the page, or of the browser',
  'register-url': 'none: only `namewright-select` is dispatched',
  handles: 'off',
} as const
export type Attribute = keyof typeof ATTRIBUTES

export interface Settings {
  readonly baseUrl: string
  readonly publishableKey: string
  readonly tlds: readonly string[]
  readonly count: number
  /** The attribute as written; undefined when it is absent. */
  readonly language: string | undefined
  readonly registerUrl: string | undefined
  /** Whether each name is looked up in package registries and at code hosts. */
  readonly handles: boolean
}

const COUNT = 8
const MAX_COUNT = 50

export function settingsOf(attribute: (name: Attribute) => string | null, scriptUrl: string): Settings {
  const textOf = (name: Attribute) => attribute(name)?.trim() || undefined
  const count = Number.parseInt(textOf('count') ?? '', 10)
  return {
    baseUrl: textOf('base-url') ?? originOf(scriptUrl),
    publishableKey: textOf('publishable-key') ?? '',
    tlds: (textOf('tlds') ?? '').split(/[\s,]+/).flatMap((one) => (one === '' ? [] : [one.replace(/^\./, '')])),
    count: Number.isNaN(count) ? COUNT : Math.min(MAX_COUNT, Math.max(1, count)),
    language: textOf('language'),
    registerUrl: textOf('register-url'),
    // As for boolean attributes of HTML, being there is enough.
    handles: attribute('handles') !== null,
  }
}

/** The registration URL of a domain, or undefined. Only http and https, never a script. */
export function registerUrlOf(template: string | undefined, domain: string, page: string): string | undefined {
  const text = template?.replaceAll('{domain}', encodeURIComponent(domain))
  if (text === undefined || !URL.canParse(text, page)) return undefined
  const url = new URL(text, page)
  return /^https?:$/.test(url.protocol) ? url.href : undefined
}

/** The service serves the script at /embed/. A script from another host needs `base-url`. */
function originOf(scriptUrl: string): string {
  return URL.canParse(scriptUrl) && /^https?:$/.test(new URL(scriptUrl).protocol) ? new URL(scriptUrl).origin : ''
}
