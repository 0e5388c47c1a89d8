/** Ids are UUIDs version 7 (RFC 9562 §5.7): they sort by time, so newest-first is a scan of the primary key. */
import { getRandomValues } from 'node:crypto'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

export function makeId(nowMs: number): string {
  return idOf(nowMs, getRandomValues(Buffer.alloc(16)))
}

/** The lowest id of that moment: everything created before it has a lower one. */
export function firstIdOf(ms: number): string {
  return idOf(Math.max(0, ms), Buffer.alloc(16))
}

function idOf(ms: number, bytes: Buffer): string {
  bytes.writeUIntBE(ms, 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return uuidOf(bytes)
}

/** 16 bytes as text. */
export function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
