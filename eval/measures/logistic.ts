/** Logistic regression: features are brought to one scale, weights are kept small, plain gradient steps. */

export interface Example {
  readonly features: readonly number[]
  readonly isPositive: boolean
}

const ROUNDS = 400
const RATE = 0.5
const SHRINK = 1e-3

/** From labelled examples to a scorer; the score orders, it is no probability. */
export function trainLogistic(examples: readonly Example[]): (features: readonly number[]) => number {
  const scale = standardise(examples.map(({ features }) => features))
  const rows = examples.map(({ features, isPositive }) => ({ row: scale(features), aim: isPositive ? 1 : 0 }))
  const weights = new Float64Array((rows[0]?.row.length ?? 0) + 1)
  for (let round = 0; round < ROUNDS; round++) {
    const slope = new Float64Array(weights.length)
    for (const { row, aim } of rows) {
      const error = 1 / (1 + Math.exp(-scoreOf(weights, row))) - aim
      slope[0] = (slope[0] ?? 0) + error
      for (let at = 0; at < row.length; at++) slope[at + 1] = (slope[at + 1] ?? 0) + error * (row[at] ?? 0)
    }
    for (let at = 0; at < weights.length; at++) {
      const weight = weights[at] ?? 0
      weights[at] = weight - RATE * ((slope[at] ?? 0) / rows.length + SHRINK * weight)
    }
  }
  return (features) => scoreOf(weights, scale(features))
}

function scoreOf(weights: Float64Array, row: Float64Array): number {
  let sum = weights[0] ?? 0
  for (let at = 0; at < row.length; at++) sum += (weights[at + 1] ?? 0) * (row[at] ?? 0)
  return sum
}

function standardise(rows: readonly (readonly number[])[]): (row: readonly number[]) => Float64Array {
  const columns = (rows[0] ?? []).map((_, at) => rows.map((row) => row[at] ?? 0))
  const means = columns.map((column) => column.reduce((sum, value) => sum + value, 0) / column.length)
  const spreads = columns.map((column, at) => {
    const mean = means[at] ?? 0
    return Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / column.length) || 1
  })
  return (row) => Float64Array.from(row, (value, at) => (value - (means[at] ?? 0)) / (spreads[at] ?? 1))
}
