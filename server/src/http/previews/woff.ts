/** The tables of a WOFF 1.0 file (https://www.w3.org/TR/WOFF/): a TrueType font whose tables are compressed one by one. */
import { inflateSync } from 'node:zlib'

export type FontTables = ReadonlyMap<string, DataView>

const SIGNATURE = 0x77_4f_46_46
const HEADER_BYTES = 44
const ENTRY_BYTES = 20

export function readWoff(file: Buffer): FontTables {
  if (file.readUInt32BE(0) !== SIGNATURE) throw new Error('not a WOFF file')
  const count = file.readUInt16BE(12)
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const at = HEADER_BYTES + index * ENTRY_BYTES
      const [offset, packed, size] = [file.readUInt32BE(at + 4), file.readUInt32BE(at + 8), file.readUInt32BE(at + 12)]
      const bytes = file.subarray(offset, offset + packed)
      const table = packed < size ? inflateSync(bytes, { maxOutputLength: size }) : bytes
      return [file.toString('latin1', at, at + 4), new DataView(table.buffer, table.byteOffset, table.byteLength)]
    }),
  )
}
