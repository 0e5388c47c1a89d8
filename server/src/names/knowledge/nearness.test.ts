import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createNearness, createSharedMemory, DIMENSIONS, nearnessAt } from './nearness.ts'

const vector = fc.int8Array({ minLength: DIMENSIONS, maxLength: DIMENSIONS })

it('WebAssembly gives the same numbers as the plain loop, for vectors of the knowledge and for others', () => {
  const memory = createSharedMemory(4 * DIMENSIONS)
  const nearness = createNearness(memory)
  expect(nearness).not.toBe(nearnessAt)
  const known = new Int8Array(memory.buffer, DIMENSIONS, 2 * DIMENSIONS)
  fc.assert(
    fc.property(vector, vector, vector, (one, other, outside) => {
      known.set(one)
      known.set(other, DIMENSIONS)
      expect(nearness(known, 0, known, 1)).toBe(nearnessAt(one, 0, other))
      expect(nearness(known, 1, outside)).toBe(nearnessAt(other, 0, outside))
      expect(nearness(known, 0, outside)).toBe(nearnessAt(one, 0, outside))
    }),
  )
})
