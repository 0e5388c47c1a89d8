/** The few numbers that all measures need. An empty list has no mean: NaN, which a report shows as a dash. */

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function medianOf(values: readonly number[]): number {
  const ascending = values.toSorted((a, b) => a - b)
  const middle = ascending.length / 2
  return ((ascending[Math.ceil(middle) - 1] ?? NaN) + (ascending[Math.floor(middle)] ?? NaN)) / 2
}

/** Which share of the ascending values lies below, ties counted half. */
export function percentileOf(value: number, ascending: readonly number[]): number {
  const below = ascending.filter((other) => other < value).length
  const equal = ascending.filter((other) => other === value).length
  return (100 * (below + equal / 2)) / ascending.length
}

/** How often a member of the first list scores above one of the second: 0.5 when nothing tells them apart. */
export function areaUnderCurve(positives: readonly number[], negatives: readonly number[]): number {
  const all = [
    ...positives.map((score) => ({ score, weight: 1 })),
    ...negatives.map((score) => ({ score, weight: 0 })),
  ].toSorted((a, b) => a.score - b.score)
  let rankSum = 0
  for (let at = 0; at < all.length;) {
    let end = at
    while (end < all.length && all[end]?.score === all[at]?.score) end++
    const rank = (at + end + 1) / 2
    for (; at < end; at++) rankSum += rank * (all[at]?.weight ?? 0)
  }
  return (rankSum - (positives.length * (positives.length + 1)) / 2) / (positives.length * negatives.length)
}

/** Half the width of the 95 % interval of a mean, by the normal approximation. */
export function marginOf(values: readonly number[]): number {
  const mean = meanOf(values)
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  return 1.96 * Math.sqrt(variance / values.length)
}
