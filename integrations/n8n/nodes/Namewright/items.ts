/**
 * A response of the API to the items that the node returns.
 *
 * **Invariant**: `available` of an item is `true` or `false`, and `true` only if the service says both `available: true`
 * and a status that can be registered. What is unknown is `false` with the status `unknown`: an IF node takes any text,
 * such as the `"unknown"` of the API for packages, for true.
 */
import type { JsonObject } from 'n8n-workflow'
import { Failure, isRecord, refusalOf, textOf, unexpected } from './failure.ts'
import type { Operation } from './request.ts'

type Fields = Readonly<Record<string, unknown>>

const REGISTRABLE: readonly unknown[] = ['available', 'premium']
const NOT_REGISTRABLE: readonly unknown[] = ['for_sale', 'taken', 'reserved', 'restricted', 'unsupported', 'invalid']

const ITEMS: Readonly<Record<Operation, (data: Fields) => JsonObject[]>> = {
  generate: suggestionItems,
  checkDomains: (data) => recordsIn(data['domains']).map(checkedDomainItem),
  checkNames: (data) => recordsIn(data['names']).map(nameItem),
}

/** `response` is the full response of n8n's HTTP helper. Throws a `Failure`. */
export function itemsOf(operation: Operation, response: unknown): JsonObject[] {
  const { statusCode, body } = isRecord(response) ? response : {}
  if (typeof statusCode !== 'number') throw unexpected(null)
  if (statusCode < 200 || statusCode > 299) throw refusalOf(statusCode, body)
  const data = isRecord(body) && body['status'] === 'success' ? body['data'] : undefined
  if (!isRecord(data)) throw unexpected(statusCode)
  return ITEMS[operation](data)
}

function suggestionItems(data: Fields): JsonObject[] {
  const suggestions = recordsIn(data['suggestions'])
  const shortfall = isRecord(data['shortfall']) ? shortfallOf(data['shortfall']) : undefined
  // No item would end the workflow without a word.
  if (suggestions.length === 0) {
    throw new Failure(textOf(shortfall?.['reason']) ?? 'no_names', 'The service found no names', {
      status: 200,
      hint: textOf(shortfall?.['hint']) ?? 'Describe the project in other words, or allow more extensions.',
    })
  }
  return suggestions.map((suggestion) => {
    const domains = recordsIn(suggestion['domains']).map(domainOf)
    return {
      name: required(suggestion['name']),
      available_domains: registrable(domains),
      domains,
      rationale: textOf(suggestion['rationale']),
      ...(shortfall === undefined ? {} : { shortfall }),
    }
  })
}

function checkedDomainItem(entry: Fields): JsonObject {
  const offer = entry['for_sale']
  return {
    input: textOf(entry['input']),
    ...domainOf(entry),
    ...(isRecord(offer)
      ? { for_sale: { text: textOf(offer['text']), uri: textOf(offer['uri']), value: textOf(offer['value']) } }
      : {}),
  }
}

function nameItem(name: Fields): JsonObject {
  const domains = recordsIn(name['domains']).map(domainOf)
  return {
    input: textOf(name['input']),
    label: required(name['label']),
    available_domains: registrable(domains),
    domains,
    ...('packages' in name ? { packages: recordsIn(name['packages']).map(namespaceOf) } : {}),
    ...('code' in name ? { code: recordsIn(name['code']).map(namespaceOf) } : {}),
  }
}

function domainOf(entry: Fields): JsonObject {
  return {
    domain: required(entry['domain']),
    ...verdictOf(entry),
    price: textOf(entry['price']),
    confidence: textOf(entry['confidence']),
    sources: Array.isArray(entry['sources']) ? entry['sources'].filter((one) => typeof one === 'string') : [],
    checked_at: textOf(entry['checked_at']),
    expires_at: textOf(entry['expires_at']),
  }
}

function namespaceOf(entry: Fields): JsonObject {
  return {
    namespace: required(entry['namespace']),
    label: textOf(entry['label']),
    ...verdictOf(entry),
    rule: textOf(entry['rule']),
    url: textOf(entry['url']),
  }
}

/** Two fields that contradict each other, or a status that this version does not know, prove nothing. */
function verdictOf({ available, status }: Fields): { readonly available: boolean; readonly status: string } {
  if (available === true && REGISTRABLE.includes(status)) return { available: true, status: required(status) }
  const isKnown = available === false && (status === 'premium' || NOT_REGISTRABLE.includes(status))
  return { available: false, status: isKnown ? required(status) : 'unknown' }
}

const registrable = (domains: readonly JsonObject[]): string[] =>
  domains.filter(({ available }) => available === true).map(({ domain }) => required(domain))

function shortfallOf(shortfall: Fields): JsonObject {
  const { wanted, returned, retry_after: retryAfter } = shortfall
  return {
    reason: textOf(shortfall['reason']),
    wanted: typeof wanted === 'number' ? wanted : null,
    returned: typeof returned === 'number' ? returned : null,
    retry_after: typeof retryAfter === 'number' ? retryAfter : null,
    hint: textOf(shortfall['hint']),
  }
}

function recordsIn(value: unknown): readonly Fields[] {
  if (!Array.isArray(value) || !value.every(isRecord)) throw unexpected(200)
  return value
}

function required(value: unknown): string {
  if (typeof value !== 'string') throw unexpected(200)
  return value
}
