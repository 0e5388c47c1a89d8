/** Parsers from the text of a setting to its value. Each throws an Error whose message completes "NAME must be …". */
import { isIP } from 'node:net'
import { PLAN_COLUMNS, planOf, UNLIMITED } from '../../model/plan.ts'
import type { Plan } from '../../model/plan.ts'
import { isSentinelUrl, parseSentinels } from '../cache/sentinel.ts'
import { Secret } from '../../model/secret.ts'

export function must(text: string, holds: boolean, wanted: string): string {
  if (!holds) throw new Error(wanted)
  return text
}

/** `user:token`: a fixed number of parts, each a secret. */
export function partsOf(count: 2): (text: string) => readonly [Secret, Secret]
export function partsOf(count: 3): (text: string) => readonly [Secret, Secret, Secret]
export function partsOf(count: number) {
  return (text: string): readonly Secret[] => {
    const parts = text.split(':')
    if (parts.length !== count || parts.includes('')) throw new Error(`${count} parts separated by a colon`)
    return parts.map((part) => new Secret(part))
  }
}

export function routeOf(text: string): { host: string; address: string; port: number } {
  const [, host = '', address = '', port = ''] = /^([a-z0-9.-]+)=([\d.]+):(\d{1,5})$/.exec(text) ?? []
  if (isIP(address) !== 4 || Number(port) > 65_535) throw new Error('host=address:port')
  return { host, address, port: Number(port) }
}

/** `host:port`, with the host in URL form: lower case, IPv6 in brackets. */
export function placeOf(text: string): string {
  const [, host = '', port = ''] = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):(\d{1,5})$/i.exec(text) ?? []
  const url = URL.parse(`http://${host}`)
  if (!url || host === '' || Number(port) < 1 || Number(port) > 65_535) throw new Error('host:port')
  return `${url.hostname}:${Number(port)}`
}

export function secretOf(parse = (text: string) => text) {
  return (text: string): Secret => new Secret(parse(text))
}

/** The error reports only the length of the refused text. */
export function longSecretOf(least: number) {
  return secretOf((text) =>
    must(text, text.length >= least, `at least ${least} characters long (this one has ${text.length})`),
  )
}

export function urlOf(...protocols: string[]) {
  const wanted = `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`
  return (text: string) => must(text, URL.canParse(text) && protocols.includes(new URL(text).protocol), wanted)
}

/** One URL, several of a Redis Cluster, or a sentinel URL, which contains commas itself. */
export function redisOf(text: string): readonly Secret[] {
  if (!isSentinelUrl(text)) return listOf(secretOf(urlOf('redis:', 'rediss:')))(text)
  parseSentinels(text)
  return [new Secret(text)]
}

/** A base URL: a query, a fragment or a password in it would end up in the middle of the request URL. */
export function plainUrlOf(...protocols: string[]) {
  const parse = urlOf(...protocols)
  return (text: string) => {
    const { username, password, search, hash } = new URL(parse(text))
    must(text, username + password + search + hash === '', 'a URL without user, password, query or fragment')
    return text.replace(/\/+$/, '')
  }
}

/** An https URL with a placeholder; the host must be fixed, so that the inserted value cannot choose it. */
export function templateOf(blank: string) {
  return (text: string) => {
    const host = URL.parse(text.replaceAll(blank, 'blank'))?.host
    const isSafe =
      text.startsWith('https://') && host !== undefined && host === URL.parse(text.replaceAll(blank, ''))?.host
    return must(text, isSafe && text.includes(blank), `a URL that starts with https:// and has ${blank} after its host`)
  }
}

/** `in/out`: US dollars per million tokens. */
export interface ModelPrice {
  readonly sent: number
  readonly received: number
}

export function modelPriceOf(text: string): ModelPrice {
  const [, sent, received] = /^(\d{1,4}(?:\.\d{1,4})?)\/(\d{1,4}(?:\.\d{1,4})?)$/.exec(text) ?? []
  if (sent === undefined) throw new Error('two prices in US dollars, as 0.40/1.60')
  return { sent: Number(sent), received: Number(received) }
}

const MODEL_KINDS = ['openai-compatible', 'anthropic', 'ollama', 'llama.cpp'] as const
export type ModelKind = (typeof MODEL_KINDS)[number]
/** Words that people write for a kind. No model is called so, and a bare name would need a URL. */
const MISTAKEN_KINDS: Readonly<Record<string, ModelKind>> = {
  openai: 'openai-compatible',
  claude: 'anthropic',
  'llama-cpp': 'llama.cpp',
  llamacpp: 'llama.cpp',
}

export interface ModelChoice {
  readonly kind: ModelKind
  /** The provider's name for the model; may contain colons and slashes. */
  readonly name: string
}

export function modelOf(text: string): ModelChoice | undefined {
  if (text === 'none') return undefined
  must(text, /^[!-~]{1,200}$/.test(text), 'none, or a kind and a name separated by a colon')
  const kind = MODEL_KINDS.find((one) => text.startsWith(`${one}:`) && text.length > one.length + 1)
  const [word = '', ...name] = text.split(':')
  const meant = kind === undefined && name.length > 0 ? MISTAKEN_KINDS[word.toLowerCase()] : undefined
  must(text, meant === undefined, `${meant}:NAME; ${word.toLowerCase()} is no kind`)
  // A bare name, as Docker Compose sets it for the models of a project.
  return kind === undefined ? { kind: 'openai-compatible', name: text } : { kind, name: text.slice(kind.length + 1) }
}

export interface Provider {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Secret
}

/** `name=https://client:secret@issuer`, with anything special in client and secret percent-encoded. */
export function providerOf(text: string): Provider {
  const [, name = '', url = ''] = /^([a-z][a-z0-9-]{0,30})=(.+)$/.exec(text) ?? []
  const wanted = 'name=https://client:secret@issuer'
  must(url, URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), wanted)
  const { username, password, origin, pathname } = new URL(url)
  must(username, username !== '' && password !== '', wanted)
  return {
    name,
    issuer: `${origin}${pathname.replace(/\/+$/, '')}`,
    clientId: decodeURIComponent(username),
    clientSecret: new Secret(decodeURIComponent(password)),
  }
}

export function oneOf<const T extends string>(...choices: T[]) {
  return (text: string): T => {
    const choice = choices.find((one) => one === text)
    if (choice === undefined) throw new Error(`one of ${choices.join(', ')}`)
    return choice
  }
}

/** `adaptive`, `off`, or the maximum number of requests in flight. */
export function overloadOf(text: string): 'adaptive' | 'off' | number {
  if (text === 'adaptive' || text === 'off') return text
  must(text, /^[1-9]\d{0,5}$/.test(text), 'adaptive, off, or a whole number from 1')
  return Number(text)
}

export function integerIn(low: number, high: number) {
  return (text: string): number =>
    Number(must(text, /^\d+$/.test(text) && +text >= low && +text <= high, `${low} to ${high}`))
}

/** A fraction from 0 to 1. */
export function shareOf(text: string): number {
  return Number(must(text, /^(?:0|1|0?\.\d{1,6}|1\.0)$/.test(text), 'a number from 0 to 1'))
}

/** Which requests are logged. */
export interface AccessLog {
  readonly errors: boolean
  /** The share of all other requests. */
  readonly share: number
}

export function accessLogOf(text: string): AccessLog {
  if (text === 'off' || text === 'errors') return { errors: text === 'errors', share: 0 }
  if (text === 'all') return { errors: true, share: 1 }
  must(text, Number(text) > 0 && /^0?\.\d{1,6}$/.test(text), 'off, errors, all or a sample rate between 0 and 1')
  return { errors: true, share: Number(text) }
}

export function listOf<T>(parse: (text: string) => T) {
  return (text: string): readonly T[] => text.split(',').map((item) => parse(item.trim()))
}

export function optional<T>(parse: (text: string) => T) {
  return (text: string): T | undefined => (text === '' ? undefined : parse(text))
}

/** An IP address or a CIDR range. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  return (
    family !== 0 &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && +bits <= (family === 4 ? 32 : 128)))
  )
}

/** A listen address: `127.0.0.1:9464`, `[::1]:9464`. */
export function listenOf(text: string): { readonly host: string; readonly port: number } {
  must(text, isResolver(text), 'address:port')
  const colon = text.lastIndexOf(':')
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) }
}

export function isResolver(text: string): boolean {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text)
  return match !== null && isIP(match[1] ?? match[2] ?? '') !== 0 && Number(match[3]) <= 65_535
}

/** `getServers` omits port 53, and the brackets with it. */
export function withPort(server: string): string {
  if (isIP(server) === 4) return `${server}:53`
  return isIP(server) === 6 ? `[${server}]:53` : server
}

// The highest value that a key accepts.
const MAX_PLAN_LIMIT = 1_000_000_000_000

export function planSettingOf(text: string): Plan {
  if (text === 'none') return UNLIMITED
  const names: readonly string[] = PLAN_COLUMNS
  const limits = text.split(',').map((part) => {
    const [name = '', value = ''] = part.trim().split('=')
    const isFit = names.includes(name) && /^\d{1,13}$/.test(value) && +value <= MAX_PLAN_LIMIT
    must(
      part,
      isFit && (name !== 'requests_per_minute' || +value > 0),
      `limits such as ${names[0]}=1000, of ${names.join(', ')}`,
    )
    return [name, Number(value)] as const
  })
  return planOf(Object.fromEntries(limits))
}
