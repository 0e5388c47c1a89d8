/**
 * One deferred commit as a line of text: writes and parses it.
 *
 * A line begins with the checksum of the rest, which detects a line cut off by a crash or damaged on disk. Only
 * complete lines were ever confirmed to a caller.
 */
import { crc32 } from 'node:zlib'
import type { Statement, Value } from '../db/db.ts'
import type { AccountId, KeyId, QuotaLimits } from '../../model/caller.ts'

export interface JournalEntry {
  readonly id: string
  readonly caller: { readonly accountId: AccountId; readonly keyId: KeyId; readonly quota: QuotaLimits }
  /** The units to spend for the response. */
  readonly units: number
  readonly spending: Statement
  readonly statements: readonly Statement[]
}

export function lineOf(entry: JournalEntry): string {
  const { spending, statements, ...rest } = entry
  const packed: PackedEntry = { ...rest, spending: pack(spending), statements: statements.map(pack) }
  const text = JSON.stringify(packed)
  return `${checksumOf(text)} ${text}\n`
}

/** Undefined for an incomplete line. */
export function findEntry(line: string): JournalEntry | undefined {
  const [checksum, text] = [line.slice(0, 8), line.slice(9)]
  if (checksumOf(text) !== checksum) return undefined
  const read = JSON.parse(text) as PackedEntry
  return { ...read, spending: unpack(read.spending), statements: read.statements.map(unpack) }
}

type PackedEntry = Omit<JournalEntry, 'spending' | 'statements'> & {
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
