/**
 * What can be written on the element, and what is made of it. Nothing here fails: a page with a mistake in it still has a
 * search, as far as there can be one.
 */

/** Every attribute, with what holds where it is not there. The manual's table is held against this one. */
export const ATTRIBUTES = {
  'base-url': 'the address that the script came from',
  'publishable-key': 'none: it is needed',
  tlds: 'those of the service',
  count: '8',
  language: 'that of the page, or of the browser',
  'register-url': 'none: the choice is only told by `namewright-select`',
} as const
export type Attribute = keyof typeof ATTRIBUTES

export interface Settings {
  readonly baseUrl: string
  readonly publishableKey: string
  readonly tlds: readonly string[]
  readonly count: number
  /** As it is written; undefined where it is not. */
  readonly language: string | undefined
  readonly registerUrl: string | undefined
}

const COUNT = 8
const MOST = 50

export function settingsOf(attribute: (name: Attribute) => string | null, scriptUrl: string): Settings {
  const textOf = (name: Attribute) => attribute(name)?.trim() || undefined
  const count = Number.parseInt(textOf('count') ?? '', 10)
  return {
    baseUrl: textOf('base-url') ?? originOf(scriptUrl),
    publishableKey: textOf('publishable-key') ?? '',
    tlds: (textOf('tlds') ?? '').split(/[\s,]+/).flatMap((one) => (one === '' ? [] : [one.replace(/^\./, '')])),
    count: Number.isNaN(count) ? COUNT : Math.min(MOST, Math.max(1, count)),
    language: textOf('language'),
    registerUrl: textOf('register-url'),
  }
}

/** Where a choice leads, or undefined. Only to where a link may lead: never to a script. */
export function registerUrlOf(template: string | undefined, domain: string, page: string): string | undefined {
  const text = template?.replaceAll('{domain}', encodeURIComponent(domain))
  if (text === undefined || !URL.canParse(text, page)) return undefined
  const url = new URL(text, page)
  return /^https?:$/.test(url.protocol) ? url.href : undefined
}

/** The file is handed out by the service itself at /embed/; from elsewhere the service has to be named. */
function originOf(scriptUrl: string): string {
  return URL.canParse(scriptUrl) && /^https?:$/.test(new URL(scriptUrl).protocol) ? new URL(scriptUrl).origin : ''
}
