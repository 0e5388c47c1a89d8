/**
 * Stores sessions as hashes: reading the database must not be enough to sign in. Better Auth stores a session's token
 * in plain text. This adapter stores its SHA-256 instead, and returns the token only to a query that contained it.
 *
 * So tokens cannot be listed. That is why sessions are ended by their id and not by Better Auth's own endpoints.
 */
import { hash } from 'node:crypto'
import type { DBAdapter, DBTransactionAdapter, Where } from '@better-auth/core/db/adapter'

type HashedSessionRow = Record<string, unknown>

export function withHashedSessions(adapter: DBAdapter): DBAdapter {
  return {
    ...hashing(adapter),
    transaction: (work) => adapter.transaction((inner) => work(hashing(inner))),
  }
}

function hashing<A extends DBTransactionAdapter>(adapter: A): A {
  return {
    ...adapter,
    create: async <T extends Record<string, unknown>, R = T>(args: CreateOf<T>) => {
      const { token } = args.data as { token?: unknown }
      if (args.model !== 'session' || typeof token !== 'string') return adapter.create<T, R>(args)
      const made = await adapter.create<T, R>({ ...args, data: { ...args.data, token: digest(token) } })
      return { ...made, token }
    },
    findOne: async <T>(args: Parameters<A['findOne']>[0]) => restore(await adapter.findOne<T>(hidden(args)), args),
    findMany: <T>(args: Parameters<A['findMany']>[0]) => adapter.findMany<T>(hidden(args)),
    count: (args: Parameters<A['count']>[0]) => adapter.count(hidden(args)),
    update: async <T>(args: Parameters<A['update']>[0]) => restore(await adapter.update<T>(hidden(args)), args),
    updateMany: (args: Parameters<A['updateMany']>[0]) => adapter.updateMany(hidden(args)),
    delete: (args: Parameters<A['delete']>[0]) => adapter.delete(hidden(args)),
    deleteMany: (args: Parameters<A['deleteMany']>[0]) => adapter.deleteMany(hidden(args)),
    consumeOne: async <T>(args: Parameters<A['consumeOne']>[0]) =>
      restore(await adapter.consumeOne<T>(hidden(args)), args),
  }
}

interface CreateOf<T> {
  model: string
  data: Omit<T, 'id'>
  select?: string[] | undefined
  forceAllowId?: boolean | undefined
}

/** The same query with hashes in place of tokens. */
function hidden<Args extends { model: string; where?: Where[] | undefined }>(args: Args): Args {
  if (args.model !== 'session' || !args.where) return args
  const where = args.where.map((condition): Where => {
    if (condition.field !== 'token') return condition
    const { value } = condition
    if (typeof value === 'string') return { ...condition, value: digest(value) }
    return Array.isArray(value) ? { ...condition, value: value.map((item) => digest(String(item))) } : condition
  })
  return { ...args, where }
}

function restore<T>(found: T | null, { model, where }: { model: string; where: Where[] }): T | null {
  const asked = model === 'session' ? where.find(({ field }) => field === 'token')?.value : undefined
  return found !== null && typeof asked === 'string' ? ({ ...(found as HashedSessionRow), token: asked } as T) : found
}

function digest(token: string): string {
  return hash('sha256', token, 'hex')
}
