/** “Did you mean” for suffixes, from the list of the service. */
import type { FieldError } from '../api-types.ts'
import { isErrorCode, NamewrightError } from '../errors.ts'
import type { Namewright } from '../namewright.ts'
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

/** The same error, with the nearest suffix added to the message of each unknown one. */
export async function withNearSuffixes(
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
