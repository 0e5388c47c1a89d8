/**
 * The parameters of the node to a request of the API. Nothing is validated here: the service does that, and its error
 * names the field. Only lists, which people write as text, are split.
 */
import { Failure } from './failure.ts'

export type Operation = 'generate' | 'checkDomains' | 'checkNames'

/** Reads a parameter by its name; `options` is a collection. */
export type ReadParameter = (name: string) => unknown

export interface ApiRequest {
  readonly path: '/v1/generate' | '/v1/domains/check' | '/v1/names/check'
  readonly body: Readonly<Record<string, unknown>>
}

const BETWEEN_DOMAINS = /[\s,;]+/
// A name may contain spaces.
const BETWEEN_NAMES = /[\n,;]+/

type Options = Readonly<Record<string, unknown>>

const REQUESTS: Readonly<Record<Operation, (read: ReadParameter, options: Options) => ApiRequest>> = {
  generate: (read, options) => ({
    path: '/v1/generate',
    body: {
      description: read('description'),
      count: read('count'),
      // Without evidence a domain has no status, and "taken" could not be told from "unknown".
      include: ['evidence', 'rationale'],
      ...given('tlds', listOf(options['tlds'], BETWEEN_DOMAINS)),
      ...given('language', options['language']),
      ...given('currency', options['currency']),
      ...given('max_price', options['maxPrice']),
      ...given('styles', options['styles']),
    },
  }),
  checkDomains: (read, options) => ({
    path: '/v1/domains/check',
    body: {
      domains: listOf(read('domains'), BETWEEN_DOMAINS),
      ...(options['checkAgain'] === true ? { verify: 'full' } : {}),
      ...(options['forSale'] === true ? { for_sale: true } : {}),
    },
  }),
  checkNames: (read, options) => ({
    path: '/v1/names/check',
    body: {
      names: listOf(read('names'), BETWEEN_NAMES),
      ...given('tlds', listOf(options['tlds'], BETWEEN_DOMAINS)),
      ...given('include', options['include']),
      ...(options['checkAgain'] === true ? { verify: 'full' } : {}),
    },
  }),
}

export function requestOf(operation: Operation, read: ReadParameter): ApiRequest {
  return REQUESTS[operation](read, (read('options') ?? {}) as Options)
}

/** The address of the service without a slash at its end; it may have a path, for a service behind a proxy. */
export function parseBaseUrl(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : ''
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url !== undefined && `${url.search}${url.hash}${url.username}${url.password}` === ''
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new Failure('invalid_base_url', 'The Base URL of the credential is not an http or https address', {
      hint: 'Write it like https://names.example.com, without a user, a query or /v1.',
    })
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Text is split; an expression may also give a list. */
function listOf(value: unknown, between: RegExp): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string') return []
  return value
    .split(between)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** What was left empty is not sent, so that the service uses its default. */
function given(name: string, value: unknown): Readonly<Record<string, unknown>> {
  const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  return isEmpty ? {} : { [name]: value }
}
