/**
 * The sentence model, for making word vectors: text → 384 numbers of length one.
 *
 * all-MiniLM-L6-v2 (Apache-2.0), eight-bit, as ONNX. Its two files are data with a pinned SHA-256, wherever they come
 * from; anything else is refused, because other weights would make other vectors. Nothing in the server uses this.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import ort from 'onnxruntime-node'

export interface SentenceModel {
  readonly size: number
  /** One vector per text, in order. */
  embed(texts: readonly string[]): Promise<Float32Array[]>
}

const SIZE = 384
const MAX_TOKENS = 128
const PINNED = {
  'onnx/model_quantized.onnx': 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
}

export async function openMiniLm(folder: string): Promise<SentenceModel> {
  const { model } = readJson(folder)
  const vocabulary = new Map(Object.entries(model.vocab))
  const session = await ort.InferenceSession.create(readPinned(folder, 'onnx/model_quantized.onnx'), {
    intraOpNumThreads: 2,
  })

  async function embed(texts: readonly string[]): Promise<Float32Array[]> {
    const rows = texts.map((text) => tokenIds(vocabulary, text))
    const width = Math.max(...rows.map((row) => row.length))
    const ids = new BigInt64Array(rows.length * width)
    const mask = new BigInt64Array(rows.length * width)
    for (const [at, row] of rows.entries()) {
      for (const [place, id] of row.entries()) {
        ids[at * width + place] = BigInt(id)
        mask[at * width + place] = 1n
      }
    }
    const shape = [rows.length, width]
    const answer = await session.run({
      input_ids: new ort.Tensor('int64', ids, shape),
      attention_mask: new ort.Tensor('int64', mask, shape),
      token_type_ids: new ort.Tensor('int64', new BigInt64Array(ids.length), shape),
    })
    const hidden = answer['last_hidden_state']!.data as Float32Array
    return rows.map((row, at) => poolMean(hidden, at * width, row.length))
  }

  return { size: SIZE, embed }
}

function readPinned(folder: string, file: keyof typeof PINNED): Buffer {
  const bytes = readFileSync(`${folder}/${file}`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (sha256 !== PINNED[file]) throw new Error(`${file} is not the pinned file: its SHA-256 is ${sha256}`)
  return bytes
}

function readJson(folder: string): { model: { vocab: Record<string, number> } } {
  return JSON.parse(readPinned(folder, 'tokenizer.json').toString('utf8')) as {
    model: { vocab: Record<string, number> }
  }
}

/** WordPiece: the longest known piece first, later pieces marked by ##. */
export function tokenIds(vocabulary: ReadonlyMap<string, number>, text: string): number[] {
  const id = (piece: string) => vocabulary.get(piece)!
  const ids = [id('[CLS]')]
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
  for (const [word] of plain.matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)) ids.push(...piecesOf(vocabulary, word))
  return [...ids.slice(0, MAX_TOKENS - 1), id('[SEP]')]
}

function piecesOf(vocabulary: ReadonlyMap<string, number>, word: string): number[] {
  const pieces: number[] = []
  for (let start = 0; start < word.length;) {
    let end = word.length
    while (end > start && !vocabulary.has((start > 0 ? '##' : '') + word.slice(start, end))) end--
    if (end === start) return [vocabulary.get('[UNK]')!]
    pieces.push(vocabulary.get((start > 0 ? '##' : '') + word.slice(start, end))!)
    start = end
  }
  return pieces
}

function poolMean(hidden: Float32Array, firstRow: number, rows: number): Float32Array {
  const mean = new Float32Array(SIZE)
  for (let row = firstRow; row < firstRow + rows; row++) {
    for (let at = 0; at < SIZE; at++) mean[at]! += hidden[row * SIZE + at]!
  }
  const length = Math.hypot(...mean)
  return mean.map((value) => value / length)
}
