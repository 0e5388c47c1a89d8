/** “Did you mean” for suffixes, from the list of the service. */
import type { FieldError } from '../../sdk/src/api-types.ts'
import { isErrorCode, NamewrightError } from '../../sdk/src/errors.ts'
import type { Namewright } from '../../sdk/src/namewright.ts'
import { findNearest } from './nearest.ts'

/** The nearest supported suffix of each unknown one. Empty when the list cannot be fetched. */
export async function nearSuffixes(
  client: Namewright,
  unknown: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (unknown.length === 0) return new Map()
  try {
    const { tlds } = await client.tlds({}, { timeBudgetMs: 3_000 })
    const known = tlds.map(({ suffix }) => suffix)
    return new Map(
      unknown.flatMap((one) => {
        const near = findNearest(one.toLowerCase().replace(/^\./, ''), known)
        return near === undefined ? [] : [[one, near]]
      }),
    )
  } catch {
    return new Map()
  }
}

/** Of names without a suffix, best first. */
export const DEFAULT_TLDS: readonly string[] = ['com', 'ai', 'io', 'co']

export interface IgnoredSuffix {
  readonly tld: string
  readonly reason: string
}

/**
 * Asks again without the suffixes that the service does not know, if another one is left. `onIgnored` gets a line for
 * each of them.
 */
export async function askWithKnownSuffixes<Body extends { readonly tlds?: readonly string[] | undefined }, Answer>(
  body: Body,
  client: Namewright,
  onIgnored: (line: string) => void,
  ask: (body: Body) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly ignored: readonly IgnoredSuffix[] }> {
  try {
    return { answer: await ask(body), ignored: [] }
  } catch (error) {
    const explained = await withNearSuffixes(error, body.tlds, client)
    if (!isErrorCode(explained, 'invalid_request')) throw explained
    const unknown = new Map(explained.errors.flatMap((one) => (isUnknownSuffix(one) ? [[one.pointer, one]] : [])))
    const tlds = body.tlds?.filter((_, index) => !unknown.has(`/tlds/${index}`)) ?? []
    if (tlds.length === 0 || unknown.size < explained.errors.length) throw explained
    const ignored = body.tlds?.flatMap((tld, index) => {
      const one = unknown.get(`/tlds/${index}`)
      if (one === undefined) return []
      onIgnored(`Ignored ${tld}: ${one.message}`)
      return [{ tld, reason: one.code }]
    })
    return { answer: await ask({ ...body, tlds }), ignored: ignored ?? [] }
  }
}

function isUnknownSuffix({ code }: FieldError): boolean {
  return code === 'unknown_suffix' || code === 'unknown_preset'
}

/** The same error, with the nearest suffix added to the message of each unknown one. */
async function withNearSuffixes(
  error: unknown,
  tlds: readonly string[] | undefined,
  client: Namewright,
): Promise<unknown> {
  if (!isErrorCode(error, 'invalid_request')) return error
  const typedAt = ({ pointer, code }: FieldError) =>
    code === 'unknown_suffix' ? tlds?.[Number(/^\/tlds\/(\d+)$/.exec(pointer)?.[1])] : undefined
  const near = await nearSuffixes(
    client,
    error.errors.flatMap((one) => typedAt(one) ?? []),
  )
  const errors = error.errors.map((one) => {
    const suffix = near.get(typedAt(one) ?? '')
    return suffix === undefined ? one : { ...one, message: `${one.message} Did you mean ${suffix}?` }
  })
  const { code, status, message, ...rest } = error
  return new NamewrightError(code, status, message, { ...rest, errors })
}
