/**
 * One deferred commit as a line of text, and back.
 *
 * A line begins with the checksum of the rest: what a crash has cut off, or a disk has broken, is told from what was
 * written whole. Only what was written whole was ever answered.
 */
import { crc32 } from 'node:zlib'
import type { Statement, Value } from '../db/db.ts'
import type { AccountId, KeyId, Quota } from '../model/caller.ts'

export interface Entry {
  readonly id: string
  readonly caller: { readonly accountId: AccountId; readonly keyId: KeyId; readonly quota: Quota }
  /** What was answered, and to be spent. */
  readonly units: number
  readonly spending: Statement
  readonly statements: readonly Statement[]
}

export function lineOf(entry: Entry): string {
  const { spending, statements, ...rest } = entry
  const packed: Packed = { ...rest, spending: pack(spending), statements: statements.map(pack) }
  const text = JSON.stringify(packed)
  return `${checksumOf(text)} ${text}\n`
}

/** Undefined for a line that was not written whole. */
export function findEntry(line: string): Entry | undefined {
  const [checksum, text] = [line.slice(0, 8), line.slice(9)]
  if (checksumOf(text) !== checksum) return undefined
  const read = JSON.parse(text) as Packed
  return { ...read, spending: unpack(read.spending), statements: read.statements.map(unpack) }
}

type Packed = Omit<Entry, 'spending' | 'statements'> & {
  readonly spending: PackedStatement
  readonly statements: readonly PackedStatement[]
}
type PackedValue = { readonly moment: string } | { readonly bytes: string } | Exclude<Value, Date | Buffer | undefined>
type PackedStatement = Omit<Statement, 'values'> & { readonly values: readonly PackedValue[] }

function pack({ name, text, values }: Statement): PackedStatement {
  return { name, text, values: values.map(packValue) }
}

function packValue(value: Value): PackedValue {
  if (value instanceof Date) return { moment: value.toISOString() }
  if (Buffer.isBuffer(value)) return { bytes: value.toString('base64') }
  return value ?? null
}

function unpack({ name, text, values }: PackedStatement): Statement {
  return { name, text, values: values.map(unpackValue) }
}

function unpackValue(value: PackedValue): Value {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value as Value
  return 'moment' in value ? new Date(value.moment) : Buffer.from((value as { bytes: string }).bytes, 'base64')
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
