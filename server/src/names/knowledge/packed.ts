/**
 * The container of the compiled knowledge: named sections of numbers and texts in one block of memory.
 *
 * Written once by the build, read by any number of threads: a section is a view into the block, nothing is parsed or
 * copied. Layout: magic, number of sections, then per section its name (24 bytes), offset and length, then the
 * sections, each at a multiple of eight. Little-endian, which every machine we run on is.
 */
export interface Packed {
  readonly bytes: (name: string) => Uint8Array
  readonly small: (name: string) => Int8Array
  readonly whole: (name: string) => Uint32Array
  readonly real: (name: string) => Float32Array
  readonly double: (name: string) => Float64Array
  readonly text: (name: string) => string
  /** Sections whose names start so. */
  readonly list: (prefix: string) => readonly string[]
}

export type Section = Uint8Array | Int8Array | Uint32Array | Float32Array | Float64Array | string

const MAGIC = 0x3152_574e
const HEADER = 8
const NAME = 24
const ROW = NAME + 8

export function writePacked(sections: ReadonlyMap<string, Section>): Uint8Array {
  const bodies = [...sections].map(([name, body]) => [name, bytesOf(body)] as const)
  let end = align(HEADER + bodies.length * ROW)
  const places = bodies.map(([, body]) => {
    const start = end
    end = align(end + body.length)
    return start
  })
  const out = new Uint8Array(end)
  const view = new DataView(out.buffer)
  view.setUint32(0, MAGIC, true)
  view.setUint32(4, bodies.length, true)
  for (const [at, [name, body]] of bodies.entries()) {
    const row = HEADER + at * ROW
    const encoded = new TextEncoder().encode(name)
    if (encoded.length > NAME) throw new Error(`the name of section ${name} is too long`)
    out.set(encoded, row)
    view.setUint32(row + NAME, places[at]!, true)
    view.setUint32(row + NAME + 4, body.length, true)
    out.set(body, places[at])
  }
  return out
}

export function readPacked(block: ArrayBuffer | SharedArrayBuffer): Packed {
  const view = new DataView(block)
  if (block.byteLength < HEADER || view.getUint32(0, true) !== MAGIC) {
    throw new Error('the compiled knowledge file is invalid or has another version: run pnpm build')
  }
  const places = new Map<string, readonly [number, number]>()
  for (let at = 0; at < view.getUint32(4, true); at++) {
    const row = HEADER + at * ROW
    const name = Buffer.from(block, row, NAME).toString('latin1').replace(/\0+$/, '')
    places.set(name, [view.getUint32(row + NAME, true), view.getUint32(row + NAME + 4, true)])
  }
  const place = (name: string) => {
    const found = places.get(name)
    if (found === undefined) throw new Error(`the compiled knowledge has no section ${name}: run pnpm build`)
    return found
  }
  return {
    bytes: (name) => new Uint8Array(block, ...place(name)),
    small: (name) => new Int8Array(block, ...place(name)),
    whole: (name) => new Uint32Array(block, place(name)[0], place(name)[1] / 4),
    real: (name) => new Float32Array(block, place(name)[0], place(name)[1] / 4),
    double: (name) => new Float64Array(block, place(name)[0], place(name)[1] / 8),
    text: (name) => Buffer.from(block, ...place(name)).toString('utf8'),
    list: (prefix) => [...places.keys()].filter((name) => name.startsWith(prefix)),
  }
}

function bytesOf(body: Section): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
}

function align(offset: number): number {
  return (offset + 7) & ~7
}
