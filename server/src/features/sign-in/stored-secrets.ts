/**
 * Values that Better Auth encrypts before it stores them, under several secrets at once: the first encrypts, any
 * decrypts.
 *
 * Better Auth distinguishes the secrets by a version prefix of the ciphertext. This adapter adds the prefix when a row
 * is read and removes it when one is written. The database stores the bare ciphertext, as it did before several secrets
 * were supported. So nodes of every release, with the secrets in any order, read the same rows.
 */
import { hash } from 'node:crypto'
import type { DBAdapter, DBTransactionAdapter, Where } from '@better-auth/core/db/adapter'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { PeoplePool } from '../../platform/db/people-pool.ts'

type StoredSecretRow = Record<string, unknown>

/** The encrypted fields, by model. */
const ENCRYPTED: Readonly<Record<string, readonly string[]>> = {
  twoFactor: ['secret', 'backupCodes'],
  oauthClient: ['clientSecret'],
}

const VERSION = /^\$ba\$\d+\$/

/** For the option `secrets`. The version is derived from the secret, so that it does not depend on the order. */
export function versionsOf(secrets: readonly string[]): { version: number; value: string }[] {
  return secrets.map((value) => ({ version: hash('sha256', value, 'buffer').readUInt32BE(), value }))
}

export function withAcceptedSecrets(adapter: DBAdapter, secrets: readonly string[]): DBAdapter {
  const versions = versionsOf(secrets)
  return {
    ...versioning(adapter, versions),
    transaction: (work) => adapter.transaction((inner) => work(versioning(inner, versions))),
  }
}

function versioning<A extends DBTransactionAdapter>(adapter: A, versions: ReturnType<typeof versionsOf>): A {
  const marked = <T>(model: string, found: T): Promise<T> => withVersions(model, found, versions)
  return {
    ...adapter,
    create: async <T extends Record<string, unknown>, R = T>(args: Parameters<typeof adapter.create<T, R>>[0]) =>
      marked(args.model, await adapter.create<T, R>({ ...args, data: bare(args.model, args.data) })),
    findOne: async <T>(args: Parameters<A['findOne']>[0]) =>
      marked(args.model, await adapter.findOne<T>(bareWhere(args))),
    findMany: async <T>(args: Parameters<A['findMany']>[0]) => {
      const rows = await adapter.findMany<T>(bareWhere(args))
      return Promise.all(rows.map((row) => marked(args.model, row)))
    },
    count: (args: Parameters<A['count']>[0]) => adapter.count(bareWhere(args)),
    update: async <T>(args: Parameters<A['update']>[0]) =>
      marked(args.model, await adapter.update<T>({ ...bareWhere(args), update: bare(args.model, args.update) })),
    updateMany: (args: Parameters<A['updateMany']>[0]) =>
      adapter.updateMany({ ...bareWhere(args), update: bare(args.model, args.update) }),
    delete: (args: Parameters<A['delete']>[0]) => adapter.delete(bareWhere(args)),
    deleteMany: (args: Parameters<A['deleteMany']>[0]) => adapter.deleteMany(bareWhere(args)),
    consumeOne: async <T>(args: Parameters<A['consumeOne']>[0]) =>
      marked(args.model, await adapter.consumeOne<T>(bareWhere(args))),
    incrementOne: async <T>(args: Parameters<A['incrementOne']>[0]) =>
      marked(
        args.model,
        await adapter.incrementOne<T>({ ...bareWhere(args), ...(args.set ? { set: bare(args.model, args.set) } : {}) }),
      ),
  }
}

async function withVersions<T>(model: string, found: T, versions: ReturnType<typeof versionsOf>): Promise<T> {
  const fields = ENCRYPTED[model]
  if (!fields || typeof found !== 'object' || found === null) return found
  const row = { ...(found as StoredSecretRow) }
  for (const field of fields) {
    const text = row[field]
    if (typeof text !== 'string' || VERSION.test(text)) continue
    const version = await findVersion(text, versions)
    if (version !== undefined) row[field] = `$ba$${version}$${text}`
  }
  return row as T
}

/** A single secret is not tried: a text that it cannot decrypt fails where it is used. */
async function findVersion(text: string, versions: ReturnType<typeof versionsOf>): Promise<number | undefined> {
  const [first, ...others] = versions
  if (others.length === 0) return first?.version
  for (const { version, value } of versions) {
    if ((await decrypted(value, text)) !== undefined) return version
  }
  return undefined
}

function decrypted(secret: string, text: string): Promise<string | undefined> {
  return symmetricDecrypt({ key: secret, data: text.replace(VERSION, '') }).catch(() => undefined)
}

/** Encrypts under the first secret; undefined when it already is, or when no secret decrypts it. */
export async function reencrypted(
  text: string,
  [current = '', ...accepted]: readonly string[],
): Promise<string | undefined> {
  if ((await decrypted(current, text)) !== undefined) return undefined
  for (const secret of accepted) {
    const data = await decrypted(secret, text)
    if (data !== undefined) return symmetricEncrypt({ key: current, data })
  }
  return undefined
}

/** For values written without the adapter: in the stored format. */
export async function encrypted(text: string, [current = '']: readonly string[]): Promise<string> {
  return symmetricEncrypt({ key: current, data: text })
}

function bare<T extends object>(model: string, data: T): T {
  const fields = ENCRYPTED[model]
  if (!fields) return data
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => [field, fields.includes(field) ? bareText(value) : value]),
  ) as T
}

function bareWhere<Args extends { model: string; where?: Where[] | undefined }>(args: Args): Args {
  const fields = ENCRYPTED[args.model]
  if (!fields || !args.where) return args
  const where = args.where.map((one): Where => {
    if (!fields.includes(one.field) || typeof one.value !== 'string') return one
    return { ...one, value: one.value.replace(VERSION, '') }
  })
  return { ...args, where }
}

function bareText(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(VERSION, '') : value
}

export interface Reencrypted {
  readonly secondFactors: number
  readonly clientSecrets: number
}

const ROWS_AT_ONCE = 500

export async function reencryptPeople(pool: PeoplePool, secrets: readonly string[]): Promise<Reencrypted> {
  const [factors, codes, clients] = await Promise.all([
    reencryptColumn(pool, 'two_factor', 'secret', secrets),
    reencryptColumn(pool, 'two_factor', 'backup_codes', secrets),
    reencryptColumn(pool, 'oauth_client', 'client_secret', secrets),
  ])
  return { secondFactors: Math.max(factors, codes), clientSecrets: clients }
}

async function reencryptColumn(
  { run }: PeoplePool,
  table: string,
  column: string,
  secrets: readonly string[],
): Promise<number> {
  let [changed, last] = [0, '']
  let rows: readonly { id: string; text: string }[]
  do {
    rows = await run<{ id: string; text: string }>(
      `SELECT id, ${column} AS text FROM ${table} WHERE ${column} IS NOT NULL AND id > $1 ORDER BY id LIMIT ${ROWS_AT_ONCE}`,
      [last],
    )
    for (const { id, text } of rows) {
      last = id
      const renewed = await reencrypted(text, secrets)
      if (renewed === undefined) continue
      // Only if the value is unchanged: the person may be changing it at this moment.
      const change = `UPDATE ${table} SET ${column} = $3 WHERE id = $1 AND ${column} = $2 RETURNING id`
      changed += (await run(change, [id, text, renewed])).length
    }
  } while (rows.length === ROWS_AT_ONCE)
  return changed
}
