/**
 * How near two meanings are: the product of their vectors, 128 small whole numbers each.
 *
 * An answer takes thousands of these products. JavaScript multiplies one pair of numbers at a time; the instructions of
 * WebAssembly written below multiply eight, in a tenth of the time (docs/decisions/0057). They read the compiled
 * knowledge where it stands, so it must stand in a memory of WebAssembly. Elsewhere, as in the build, a plain loop
 * gives the same whole numbers.
 */
export const DIMENSIONS = 128
// A vector's numbers are this many times those of a vector of length one.
export const UNIT = 256

/** Of the vectors at two places, each among many. 1 for the same direction, about 0 for unrelated ones. */
export type Nearness = (ones: Int8Array, place: number, others: Int8Array, otherPlace?: number) => number

export interface WasmMemory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer
}
/** What is used of it. TypeScript has its types among those of browsers only. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number; maximum: number; shared?: boolean }) => WasmMemory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
  readonly validate: (bytes: Uint8Array) => boolean
}
interface Kernel {
  /** Both vectors in the knowledge, by their offsets. */
  readonly inside: (one: number, other: number) => number
  /** The second in the thread's own memory. */
  readonly outside: (one: number, other: number) => number
}

const MAGIC_AND_VERSION = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
const PAGE = 65_536

/** A block of memory that threads share and WebAssembly reads. */
export function createSharedMemory(bytes: number): WasmMemory {
  const pages = Math.ceil(bytes / PAGE)
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
}

/** For vectors in this memory, and any others to compare them with. */
export function createNearness(memory: WasmMemory): Nearness {
  const knowledge = memory.buffer
  const pages = knowledge.byteLength / PAGE
  const bytes = kernelBytes(pages)
  if (!WebAssembly.validate(bytes)) return nearnessAt
  const own = new WebAssembly.Memory({ initial: 1, maximum: 1 })
  const imports = { memory: { knowledge: memory, own } }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are the exports that kernelBytes writes
  const { inside, outside } = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports).exports as Kernel
  const copy = new Int8Array(own.buffer)
  let copied: Int8Array | undefined
  return (ones, place, others, otherPlace = 0) => {
    const one = ones.byteOffset + place * DIMENSIONS
    if (others.buffer === knowledge) return inside(one, others.byteOffset + otherPlace * DIMENSIONS) / UNIT ** 2
    // Nearly always the vector of the description, thousands of times in a row.
    if (others !== copied) copy.set((copied = others))
    return outside(one, otherPlace * DIMENSIONS) / UNIT ** 2
  }
}

export const nearnessAt: Nearness = (ones, place, others, otherPlace = 0) => {
  const from = place * DIMENSIONS
  const otherFrom = otherPlace * DIMENSIONS
  let sum = 0
  for (let at = 0; at < DIMENSIONS; at++) sum += ones[from + at]! * others[otherFrom + at]!
  return sum / UNIT ** 2
}

/** A module with the two functions of the kernel, in the binary format of WebAssembly. */
function kernelBytes(pages: number): Uint8Array {
  const [I32, V128, MEMORY, FUNCTION] = [0x7f, 0x7b, 2, 0]
  const memories = [
    [...text('memory'), ...text('knowledge'), MEMORY, 3, ...leb(pages), ...leb(pages)],
    [...text('memory'), ...text('own'), MEMORY, 1, 1, 1],
  ]
  const bodies = [0, 1].map((memory) => {
    const body = [1, 1, V128, ...productCode(memory), 0x0b]
    return [...leb(body.length), ...body]
  })
  return Uint8Array.from([
    ...MAGIC_AND_VERSION,
    ...section(1, [[0x60, 2, I32, I32, 1, I32]]),
    ...section(2, memories),
    ...section(3, [[0], [0]]),
    ...section(7, [
      [...text('inside'), FUNCTION, 0],
      [...text('outside'), FUNCTION, 1],
    ]),
    ...section(10, bodies),
  ])
}

/** The sum of all products; the second vector is in this memory. */
function productCode(memory: number): number[] {
  const [LOCAL_GET, LOCAL_SET, I32_ADD] = [0x20, 0x21, 0x6a]
  const LOAD_8X8_S = [0xfd, 0x01]
  const DOT_I16X8_S = [0xfd, 0xba, 0x01]
  const I32X4_ADD = [0xfd, 0xae, 0x01]
  const EXTRACT_LANE = [0xfd, 0x1b]
  const code: number[] = []
  for (let at = 0; at < DIMENSIONS; at += 8) {
    // 0x40: the number of the memory follows.
    code.push(LOCAL_GET, 0, ...LOAD_8X8_S, 0, ...leb(at), LOCAL_GET, 1, ...LOAD_8X8_S, 0x40, memory, ...leb(at))
    code.push(...DOT_I16X8_S)
    if (at > 0) code.push(...I32X4_ADD)
  }
  code.push(LOCAL_SET, 2)
  for (let lane = 0; lane < 4; lane++) {
    code.push(LOCAL_GET, 2, ...EXTRACT_LANE, lane)
    if (lane > 0) code.push(I32_ADD)
  }
  return code
}

function section(id: number, items: readonly (readonly number[])[]): number[] {
  const body = [...leb(items.length), ...items.flat()]
  return [id, ...leb(body.length), ...body]
}

function text(letters: string): number[] {
  return [letters.length, ...Buffer.from(letters)]
}

/** A whole number, seven bits in each byte. */
function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)]
}
