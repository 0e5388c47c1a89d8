/**
 * A small network, taught by stochastic gradient descent (Adam) from a fixed start: the same pairs, the same judge.
 *
 * Inputs are brought to mean 0 and spread 1. One hidden row with `max(0, x)`, one output, logistic loss, weight decay.
 */
export interface Network {
  readonly means: Float64Array
  readonly scales: Float64Array
  readonly hidden: Float64Array[]
  readonly output: Float64Array
}

export interface Example {
  readonly features: Float64Array
  readonly liked: boolean
  /** Known while learning only, and then held at its mean; NaN where there is no reader. */
  readonly generosity: number
}

const UNITS = 24
const ROUNDS = 14
const BATCH = 64
const RATE = 0.004
const DECAY = 0.002

export function teach(given: readonly Example[], inputs: number): Network {
  const mean = average(given.map(({ generosity }) => generosity).filter((value) => !Number.isNaN(value)))
  const examples = given.map(({ features, liked, generosity }) => ({
    liked,
    features: Float64Array.of(...features, Number.isNaN(generosity) ? mean : generosity),
  }))
  const size = inputs + 1
  const { means, scales } = spread(examples, size)
  const scaled = examples.map(({ features }) => features.map((x, at) => (x - means[at]!) * scales[at]!))
  const random = dice(7)
  const weights = Float64Array.from(
    { length: UNITS * (size + 1) + UNITS + 1 },
    () => (random() - 0.5) * (2 / Math.sqrt(size)),
  )
  const [first, second] = [new Float64Array(weights.length), new Float64Array(weights.length)]
  const gradient = new Float64Array(weights.length)
  let step = 0
  for (let round = 0; round < ROUNDS; round++) {
    const order = shuffle(scaled.length, random)
    const pace = RATE * (1 - round / ROUNDS)
    for (let start = 0; start < order.length; start += BATCH) {
      gradient.fill(0)
      const batch = order.slice(start, start + BATCH)
      for (const at of batch) addGradient(weights, gradient, scaled[at]!, examples[at]!.liked, size)
      step++
      for (let at = 0; at < weights.length; at++) {
        const slope = gradient[at]! / batch.length + DECAY * weights[at]!
        first[at] = 0.9 * first[at]! + 0.1 * slope
        second[at] = 0.999 * second[at]! + 0.001 * slope * slope
        weights[at]! -=
          (pace * (first[at]! / (1 - 0.9 ** step))) / (Math.sqrt(second[at]! / (1 - 0.999 ** step)) + 1e-8)
      }
    }
  }
  // Without the generosity, which is at its mean from here on and so adds nothing.
  const hidden = Array.from({ length: UNITS }, (_, unit) => {
    const row = weights.slice(unit * (size + 1), (unit + 1) * (size + 1))
    return Float64Array.of(...row.slice(0, inputs), row[size]!)
  })
  return {
    means: means.slice(0, inputs),
    scales: scales.slice(0, inputs),
    hidden,
    output: weights.slice(UNITS * (size + 1)),
  }
}

export function rate({ means, scales, hidden, output }: Network, features: Float64Array): number {
  let sum = output[UNITS]!
  for (const [unit, row] of hidden.entries()) {
    let value = row[means.length]!
    for (let at = 0; at < means.length; at++) value += row[at]! * (features[at]! - means[at]!) * scales[at]!
    if (value > 0) sum += value * output[unit]!
  }
  return sum
}

/** In the order `openJudge` reads. */
export function flatten({ means, scales, hidden, output }: Network): number[] {
  const rows = hidden.flatMap((row, unit) => [...row, output[unit]!])
  return [...means, ...scales, ...rows, output[UNITS]!].map((value) => Math.round(value * 1e5) / 1e5)
}

function addGradient(
  weights: Float64Array,
  gradient: Float64Array,
  input: Float64Array,
  liked: boolean,
  size: number,
): void {
  const outputs = UNITS * (size + 1)
  const values = new Float64Array(UNITS)
  let sum = weights[outputs + UNITS]!
  for (let unit = 0; unit < UNITS; unit++) {
    const row = unit * (size + 1)
    let value = weights[row + size]!
    for (let at = 0; at < size; at++) value += weights[row + at]! * input[at]!
    const active = Math.max(0, value)
    values[unit] = active
    sum += active * weights[outputs + unit]!
  }
  const error = 1 / (1 + Math.exp(-sum)) - (liked ? 1 : 0)
  gradient[outputs + UNITS]! += error
  for (let unit = 0; unit < UNITS; unit++) {
    gradient[outputs + unit]! += error * values[unit]!
    if (values[unit] === 0) continue
    const back = error * weights[outputs + unit]!
    const row = unit * (size + 1)
    for (let at = 0; at < size; at++) gradient[row + at]! += back * input[at]!
    gradient[row + size]! += back
  }
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function spread(
  examples: readonly Pick<Example, 'features'>[],
  size: number,
): { means: Float64Array; scales: Float64Array } {
  const means = new Float64Array(size)
  const squares = new Float64Array(size)
  for (const { features } of examples) for (let at = 0; at < size; at++) means[at]! += features[at]! / examples.length
  for (const { features } of examples) {
    for (let at = 0; at < size; at++) squares[at]! += (features[at]! - means[at]!) ** 2 / examples.length
  }
  return { means, scales: squares.map((value) => (value < 1e-9 ? 0 : 1 / Math.sqrt(value))) }
}

function shuffle(count: number, random: () => number): number[] {
  const order = Array.from({ length: count }, (_, at) => at)
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[order[at], order[other]] = [order[other]!, order[at]!]
  }
  return order
}

function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
