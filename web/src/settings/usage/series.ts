/** From what the service tells to what is drawn and listed: days in order, and a row of numbers for each name. */
import type { EndpointUse, Usage } from '../../api/settings-types.ts'

export interface Series {
  readonly id: string
  readonly name: string
  /** One for each day, the oldest first. */
  readonly values: readonly number[]
  readonly total: number
}

// Six colours are distinguishable; series after the fifth are summed up.
export const MOST_SERIES = 6

export function daysOf({ account }: Usage): readonly string[] {
  return account.days.map(({ day }) => day).toReversed()
}

/** Suggestions through each key and application, the most used first. */
export function seriesByKey({ keys }: Usage): readonly Series[] {
  return keys
    .map(({ id, name, days }) => seriesOf(id, name, days.map(({ suggestions }) => suggestions).toReversed()))
    .filter(({ total }) => total > 0)
    .toSorted((one, other) => other.total - one.total)
}

/** Requests to each endpoint, through one key or through all. */
export function seriesByEndpoint(usage: Usage, key: string): readonly Series[] {
  const days = daysOf(usage)
  const groups = Map.groupBy(ofKey(usage.endpoints, key), ({ endpoint }) => endpoint)
  return Array.from(groups, ([endpoint, uses]) => {
    const byDay = new Map<string, number>()
    for (const { day, requests } of uses.flatMap((use) => use.days)) byDay.set(day, (byDay.get(day) ?? 0) + requests)
    return seriesOf(
      endpoint,
      endpoint,
      days.map((day) => byDay.get(day) ?? 0),
    )
  }).toSorted((one, other) => other.total - one.total)
}

export interface EndpointTotal {
  readonly endpoint: string
  readonly requests: number
  readonly failed: number
}

export function endpointTotals({ endpoints }: Usage, key: string): readonly EndpointTotal[] {
  const groups = Map.groupBy(ofKey(endpoints, key), ({ endpoint }) => endpoint)
  return Array.from(groups, ([endpoint, uses]) => {
    const days = uses.flatMap((use) => use.days)
    return { endpoint, requests: sum(days.map((day) => day.requests)), failed: sum(days.map((day) => day.failed)) }
  }).toSorted((one, other) => other.requests - one.requests)
}

/** The most used by themselves, the rest as one. */
export function withRest(series: readonly Series[], restName: string): readonly Series[] {
  if (series.length <= MOST_SERIES) return series
  const rest = series.slice(MOST_SERIES - 1)
  const values = rest[0]?.values.map((_, at) => sum(rest.map((one) => one.values[at] ?? 0))) ?? []
  return [...series.slice(0, MOST_SERIES - 1), seriesOf('rest', restName, values)]
}

const ofKey = (uses: readonly EndpointUse[], key: string) => uses.filter((use) => key === '' || use.key_id === key)

function seriesOf(id: string, name: string, values: readonly number[]): Series {
  return { id, name, values, total: sum(values) }
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
