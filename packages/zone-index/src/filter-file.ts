/**
 * The file format of a filter, `<suffix>.<sha>.bf16`. Little-endian throughout; every part starts at a multiple of 64
 * bytes.
 *
 *   head, 64 bytes   magic "NWBF16\r\n" · version · shards · names · zero · bytes of the file (two words) · zeros
 *   table            one row of 32 bytes per shard: names · seed · segment length · segment count · start / 64 · zeros
 *   slots            each shard's, 16 bits each
 *
 * Every field that can be computed is computed and compared: a file with one wrong byte in its head or table does not
 * open. Wrong slots cannot be detected here; the SHA-256 in the manifest protects against them.
 */
import { shapeOf, SHARD_NAMES_MAX } from './fuse-shape.ts'

export interface ShardRow {
  readonly names: number
  readonly seed: number
  readonly startByte: number
}

export class BadIndexFile extends Error {}

// The line ends reveal a file whose line ends were converted in transfer.
const MAGIC = [0x4e, 0x57, 0x42, 0x46, 0x31, 0x36, 0x0d, 0x0a]
const VERSION = 1
const HEAD = 64
const ROW = 32
const ALIGN = 64
// 65,536 shards of 3 M names are more names than a 32-bit count holds.
const SHARDS_MAX = 65_535

export function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGN) * ALIGN
}

export function headBytes(shardCount: number): number {
  return aligned(HEAD + ROW * shardCount)
}

export function writeHead(rows: readonly ShardRow[], fileBytes: number): Uint8Array {
  const bytes = new Uint8Array(headBytes(rows.length))
  const view = new DataView(bytes.buffer)
  bytes.set(MAGIC)
  view.setUint32(8, VERSION, true)
  view.setUint32(12, rows.length, true)
  view.setUint32(16, namesIn(rows), true)
  view.setUint32(24, fileBytes % 2 ** 32, true)
  view.setUint32(28, Math.floor(fileBytes / 2 ** 32), true)
  for (const [index, { names, seed, startByte }] of rows.entries()) {
    const at = HEAD + ROW * index
    const { segmentLength, segmentCount } = shapeOf(names)
    const words = [names, seed, segmentLength, segmentCount, startByte / ALIGN]
    for (const [word, value] of words.entries()) view.setUint32(at + 4 * word, value, true)
  }
  return bytes
}

/** Throws BadIndexFile if anything differs from what the builder writes. */
export function parseHead(bytes: Uint8Array): ShardRow[] {
  if (bytes.length < HEAD) throw new BadIndexFile(`${bytes.length} bytes are too few for a filter`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (MAGIC.some((byte, at) => bytes[at] !== byte)) throw new BadIndexFile('this is not a filter')
  const [version, shardCount] = [view.getUint32(8, true), view.getUint32(12, true)]
  if (version !== VERSION) throw new BadIndexFile(`version ${version} is not ${VERSION}`)
  if (shardCount < 1 || shardCount > SHARDS_MAX) throw new BadIndexFile(`${shardCount} shards`)
  if (bytes.length < headBytes(shardCount)) throw new BadIndexFile('the shard table is truncated')
  const rows: ShardRow[] = []
  let startByte = headBytes(shardCount)
  for (let shard = 0; shard < shardCount; shard++) {
    const at = HEAD + ROW * shard
    const names = view.getUint32(at, true)
    if (names > SHARD_NAMES_MAX) throw new BadIndexFile(`shard ${shard} has ${names} names`)
    rows.push({ names, seed: view.getUint32(at + 4, true), startByte })
    startByte += aligned(2 * shapeOf(names).slots)
  }
  if (bytes.length !== startByte) throw new BadIndexFile(`${bytes.length} bytes, expected ${startByte}`)
  // Writing the same rows again gives the only valid head; this covers every field and every byte between them.
  const right = writeHead(rows, startByte)
  const wrong = right.findIndex((byte, at) => bytes[at] !== byte)
  if (wrong !== -1) throw new BadIndexFile(`byte ${wrong} of the header is wrong`)
  return rows
}

export function namesIn(rows: readonly ShardRow[]): number {
  return rows.reduce((sum, { names }) => sum + names, 0)
}
