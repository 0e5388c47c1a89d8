/**
 * A client that knows the published interface and nothing more: four calls, a key, HTTPS.
 *
 * It stands for everyone who wrote against that page before this service existed, so it imports nothing of ours and
 * is strict: a key that the page does not show is as wrong as one that is missing. Where the page says "not shown"
 * (records of history and favorites, the body of a favorite), the client can only pass on what it got.
 *
 * It never retries, never follows a redirect and never accepts a certificate its authority did not sign.
 */
import { Agent, request } from 'node:https'

export interface DomainEntry {
  readonly domain: string
  readonly available: boolean
  readonly price: string
}

export interface Suggestion {
  readonly name: string
  readonly domains: readonly DomainEntry[]
}

export interface InterfaceClient extends Disposable {
  generate(description: string, count: number): Promise<readonly Suggestion[]>
  /** `data` of the answer; its fields are not shown. */
  history(): Promise<object>
  favorites(): Promise<object>
  addFavorite(domain: string): Promise<object>
}

export function createInterfaceClient(options: { baseUrl: string; key: string; ca: string }): InterfaceClient {
  const agent = new Agent({ keepAlive: true, ca: options.ca })

  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const headers: Record<string, string> = { Authorization: `Bearer ${options.key}` }
    if (body) headers['Content-Type'] = 'application/json'
    const sent = request(`${options.baseUrl}${path}`, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const { statusCode = 0 } = response
        const type = response.headers['content-type'] ?? 'no type'
        if (statusCode < 200 || statusCode > 299) reject(new Error(`${method} ${path} answered ${statusCode}: ${text}`))
        else if (!/^application\/json\b/.test(type)) reject(new Error(`${method} ${path} answered with ${type}`))
        else resolve(text)
      })
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
    return JSON.parse(String(await promise))
  }

  return {
    generate: async (description, count) => readSuggestions(await call('POST', '/v1/generate', { description, count })),
    history: async () => readEnvelope(await call('GET', '/v1/history')),
    favorites: async () => readEnvelope(await call('GET', '/v1/favorites')),
    // The page does not show this body. What it calls the full name of a candidate is `domain`, so that is the least
    // a client can send that says which one is meant.
    addFavorite: async (domain) => readEnvelope(await call('POST', '/v1/favorites', { domain })),
    [Symbol.dispose]: () => agent.destroy(),
  }
}

// "A currency symbol followed by a decimal amount with two fraction digits."
const PRICE = /^\p{Sc}\d+\.\d{2}$/u
// "Made of a label and a top-level domain suffix", which may itself have two parts.
const DOMAIN = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)((?:\.(?!-)[\p{L}\p{M}\p{N}-]{2,63}(?<!-)){1,2})$/u

/** Exported for the test that shows it can say no. */
export function readSuggestions(answer: unknown): readonly Suggestion[] {
  const data = exactly(readEnvelope(answer), 'data', ['suggestions'])
  return list(data.suggestions, 'suggestions').map((one, at) => readSuggestion(one, `suggestions[${at}]`))
}

function readEnvelope(answer: unknown): object {
  const { status, data } = exactly(answer, 'the answer', ['status', 'data'])
  if (status !== 'success') throw new Error(`status is ${String(status)}`)
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new Error('data is not an object')
  return data
}

function readSuggestion(value: unknown, where: string): Suggestion {
  const { name, domains } = exactly(value, where, ['name', 'domains'])
  if (typeof name !== 'string' || name.trim() === '') throw new Error(`${where}.name is not a name`)
  const entries = list(domains, `${where}.domains`).map((one, at) => readEntry(one, `${where}.domains[${at}]`))
  if (entries.length === 0) throw new Error(`${where} has no domain`)
  const suffixes = new Set(entries.map(({ domain }) => DOMAIN.exec(domain)?.[1]))
  if (suffixes.size < entries.length) throw new Error(`${where} has two domains of one suffix`)
  return { name, domains: entries }
}

function readEntry(value: unknown, where: string): DomainEntry {
  const { domain, available, price } = exactly(value, where, ['domain', 'available', 'price'])
  if (typeof domain !== 'string' || !DOMAIN.test(domain)) throw new Error(`${where}.domain is ${String(domain)}`)
  if (typeof available !== 'boolean') throw new Error(`${where}.available is ${String(available)}`)
  if (typeof price !== 'string' || !PRICE.test(price)) throw new Error(`${where}.price is ${String(price)}`)
  return { domain, available, price }
}

function exactly<K extends string>(value: unknown, where: string, keys: readonly K[]): Record<K, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${where} is not an object`)
  const found = Object.keys(value).toSorted().join(', ')
  const wanted = keys.toSorted().join(', ')
  if (found !== wanted) throw new Error(`${where} has the keys ${found} instead of ${wanted}`)
  return value as Record<K, unknown>
}

function list(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${where} is not a list`)
  return value
}
