/**
 * Plain linear algebra for the word vectors: fewer dimensions, and a map learned by least squares.
 *
 * Rows are vectors. Everything is small (hundreds of dimensions), so the simplest algorithm that is stable is used.
 */
export type Matrix = Float64Array[]

/** The directions along which the rows differ most, by orthogonal iteration from a fixed start. */
export function mainDirections(rows: readonly Float32Array[], size: number, wanted: number): Matrix {
  const spread: Matrix = Array.from({ length: size }, () => new Float64Array(size))
  for (const row of rows) {
    for (let i = 0; i < size; i++) for (let j = i; j < size; j++) spread[i]![j]! += row[i]! * row[j]!
  }
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) spread[i]![j] = spread[j]![i]!
  let basis: Matrix = Array.from({ length: wanted }, (_, at) =>
    Float64Array.from({ length: size }, (__, place) => Math.sin(1 + at * 12.9898 + place * 78.233)),
  )
  for (let round = 0; round < 60; round++) {
    basis = orthogonal(
      basis.map((vector) => Float64Array.from(spread, (row) => row.reduce((sum, x, at) => sum + x * vector[at]!, 0))),
    )
  }
  return basis
}

function orthogonal(vectors: Matrix): Matrix {
  const done: Matrix = []
  for (const vector of vectors) {
    for (const before of done) {
      const along = before.reduce((sum, x, at) => sum + x * vector[at]!, 0)
      for (let at = 0; at < vector.length; at++) vector[at]! -= along * before[at]!
    }
    const length = Math.hypot(...vector)
    done.push(vector.map((x) => x / length))
  }
  return done
}

export function project(basis: Matrix, row: Float32Array): Float32Array {
  return unit(Float32Array.from(basis, (direction) => direction.reduce((sum, x, at) => sum + x * row[at]!, 0)))
}

export function unit(row: Float32Array): Float32Array {
  const length = Math.hypot(...row) || 1
  return row.map((x) => x / length)
}

/** The matrix that turns each `from` into its `to` with the least squared error, held small by `ridge`. */
export function leastSquares(from: readonly Float32Array[], to: readonly Float32Array[], ridge: number): Matrix {
  const size = from[0]!.length
  const left: Matrix = Array.from({ length: size }, () => new Float64Array(size))
  const right: Matrix = Array.from({ length: size }, () => new Float64Array(size))
  for (const [at, x] of from.entries()) {
    const y = to[at]!
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        left[i]![j]! += x[i]! * x[j]!
        right[i]![j]! += x[i]! * y[j]!
      }
    }
  }
  for (let i = 0; i < size; i++) left[i]![i]! += ridge
  for (let column = 0; column < size; column++) {
    const pivot = left[column]![column]!
    left[column] = left[column]!.map((x) => x / pivot)
    right[column] = right[column]!.map((x) => x / pivot)
    for (let row = 0; row < size; row++) {
      const factor = row === column ? 0 : left[row]![column]!
      if (factor === 0) continue
      for (let j = 0; j < size; j++) {
        left[row]![j]! -= factor * left[column]![j]!
        right[row]![j]! -= factor * right[column]![j]!
      }
    }
  }
  return right
}
