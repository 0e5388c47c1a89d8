/** The catalog of a migrated database, and the rules of Citus that can be held against it. */
import type pg from 'pg'
import { LOCAL_SCHEMAS, SHARED } from './tables.ts'
import { tablesIn } from './routing.ts'

export interface Broken {
  /** `schema`, `function` or `trigger`. */
  readonly where: string
  readonly name: string
  readonly rule: string
  readonly advice: string
}

export interface Catalog {
  readonly tables: readonly { readonly schema: string; readonly name: string; readonly hasAccount: boolean }[]
  readonly uniques: readonly {
    readonly table: string
    readonly name: string
    readonly columns: readonly (string | null)[]
  }[]
  readonly foreignKeys: readonly {
    readonly table: string
    readonly name: string
    readonly columns: readonly string[]
    readonly target: string
    readonly targets: readonly string[]
  }[]
  readonly functions: readonly { readonly name: string; readonly body: string }[]
  readonly triggers: readonly { readonly table: string; readonly name: string }[]
}

const COLUMNS_OF = (list: string, table: string) =>
  `(SELECT array_agg(a.attname::text ORDER BY k.at) FROM unnest(${list}::int[]) WITH ORDINALITY k (n, at)
    LEFT JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = k.n)`

export async function readCatalog(db: Pick<pg.Pool, 'query'>): Promise<Catalog> {
  const ask = async <Row extends pg.QueryResultRow>(text: string) => (await db.query<Row>(text)).rows
  return {
    tables: await ask(
      `SELECT relnamespace::regnamespace::text AS schema, relname::text AS name, EXISTS (SELECT FROM pg_attribute
         WHERE attrelid = c.oid AND attname = 'account_id' AND NOT attisdropped) AS "hasAccount"
       FROM pg_class c WHERE relkind IN ('r', 'p') AND NOT relispartition
         AND relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2`,
    ),
    uniques: await ask(
      `SELECT c.relname::text AS table, i.relname::text AS name, ${COLUMNS_OF('x.indkey', 'c.oid')} AS columns
       FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
       WHERE x.indisunique AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace ORDER BY 1, 2`,
    ),
    foreignKeys: await ask(
      `SELECT t.relname::text AS table, conname::text AS name, ${COLUMNS_OF('conkey', 'conrelid')} AS columns,
         f.relname::text AS target, ${COLUMNS_OF('confkey', 'confrelid')} AS targets
       FROM pg_constraint JOIN pg_class t ON t.oid = conrelid JOIN pg_class f ON f.oid = confrelid
       WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace ORDER BY 1, 2`,
    ),
    functions: await ask(
      `SELECT p.oid::regproc::text AS name, prosrc AS body FROM pg_proc p
       WHERE pronamespace IN ('public'::regnamespace, 'people'::regnamespace) ORDER BY 1`,
    ),
    triggers: await ask(
      `SELECT relname::text AS table, tgname::text AS name FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
       WHERE NOT tgisinternal AND NOT relispartition AND relnamespace = 'public'::regnamespace ORDER BY 1, 2`,
    ),
  }
}

/** Tables that are spread over shards by their account. */
export function tenantsOf({ tables }: Catalog): Set<string> {
  const names = tables.filter(({ schema, name }) => schema === 'public' && !(name in SHARED)).map(({ name }) => name)
  return new Set(names)
}

export function checkSchema(catalog: Catalog): Broken[] {
  const tenants = tenantsOf(catalog)
  const locals = Object.keys(SHARED).filter((name) => SHARED[name]?.as === 'local')
  const notEverywhere = new Set([...tenants, ...locals])
  const keyOf = (table: string) => (table === 'account' ? 'id' : 'account_id')
  const schema = (name: string, rule: string, advice: string): Broken => ({ where: 'schema', name, rule, advice })
  return [
    ...catalog.tables
      .filter(({ schema: folder }) => folder !== 'public' && !LOCAL_SCHEMAS.includes(folder))
      .map(({ schema: folder, name }) => schema(`${folder}.${name}`, 'unplaced', 'is its schema spread, or local?')),
    ...catalog.tables
      .filter(({ name, hasAccount }) => tenants.has(name) && name !== 'account' && !hasAccount)
      .map(({ name }) =>
        schema(name, 'unplaced', 'has no account_id: list it in scripts/citus/tables.ts, or give it one'),
      ),
    ...Object.keys(SHARED)
      .filter((name) => !catalog.tables.some((table) => table.schema === 'public' && table.name === name))
      .map((name) => schema(name, 'stale', 'is listed in scripts/citus/tables.ts and does not exist')),
    ...catalog.uniques
      .filter(({ table, columns }) => tenants.has(table) && columns[0] !== keyOf(table))
      .map(({ name }) => schema(name, 'unique', 'is unique over all accounts: begin it with account_id')),
    ...catalog.foreignKeys.flatMap(({ table, name, columns, target, targets }) => {
      if (tenants.has(table) && tenants.has(target)) {
        const at = columns.indexOf(keyOf(table))
        return at >= 0 && targets[at] === keyOf(target)
          ? []
          : [schema(name, 'foreign-key', 'leads to another account’s row: let account_id be part of it')]
      }
      const isAllowed = !tenants.has(target) && (!tenants.has(table) || SHARED[target]?.as === 'reference')
      return isAllowed ? [] : [schema(name, 'foreign-key', 'joins a table that is spread with one that is not')]
    }),
    ...catalog.functions
      .filter(({ body }) => tablesIn(body, notEverywhere).length > 0)
      .map(({ name, body }) => ({
        where: 'function',
        name,
        rule: 'reads-tables',
        advice: `touches ${[...new Set(tablesIn(body, notEverywhere))].join(', ')}: say in scripts/citus/tables.ts whose rows, and where it runs`,
      })),
    ...catalog.triggers
      .filter(({ table }) => tenants.has(table))
      .map(({ table, name }) => ({
        where: 'trigger',
        name: `${table}.${name}`,
        rule: 'trigger',
        advice:
          'Citus makes no triggers on tables that are spread: say in scripts/citus/tables.ts what takes its place',
      })),
  ]
}
