/** The schema and the statements keep the rules of Citus, and each rule is able to find who does not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld } from '../../server/test/world.ts'
import type { World } from '../../server/test/world.ts'
import { checkCitus, planOf, readStatements } from './check.ts'
import { routingOf } from './routing.ts'
import { readCatalog, tenantsOf } from './schema.ts'
import type { Catalog } from './schema.ts'
import { collectStatements } from './statements.ts'
import { EXCEPTIONS } from './tables.ts'

const NOTHING = { statements: [], unread: [] }
const collect = (...texts: string[]) => collectStatements(new Map(texts.map((text, n) => [`src/${n}.ts`, text])))

let world: World
let catalog: Catalog
beforeAll(async () => {
  world = await openWorld()
  catalog = await readCatalog(world.owner)
})
afterAll(() => world?.[Symbol.asyncDispose]())

test('what is written today keeps the rules, but for what is excepted with a reason', () => {
  expect(checkCitus(catalog, readStatements())).toEqual([])
  expect(EXCEPTIONS.filter(({ reason }) => reason.length < 10)).toEqual([])
})

test('every statement that has a name is read', () => {
  const { statements, unread } = readStatements()
  expect(unread).toEqual([])
  const names = new Set(statements.map(({ name }) => name))
  for (const name of ['history_insert', 'quota_block_spend', 'favorite_list', 'watch_tell', 'webhook_claim']) {
    expect(names).toContain(name)
  }
})

test('an exception that nothing needs is a violation', () => {
  const stale = { where: 'server/src/nowhere.ts', name: 'gone', rule: 'unrouted', reason: 'none' }
  const found = checkCitus(catalog, readStatements(), [...EXCEPTIONS, stale])
  expect(found).toMatchObject([{ rule: 'stale', advice: expect.stringContaining('nowhere.ts gone') }])
})

test.each([
  ['CREATE UNIQUE INDEX rule_breaker ON favorite (domain)', 'unique', 'rule_breaker'],
  ['CREATE TABLE rule_breaker (id bigint)', 'unplaced', 'rule_breaker'],
  ['CREATE TABLE rule_breaker (account_id uuid, id uuid UNIQUE)', 'unique', 'rule_breaker_id_key'],
  [
    `CREATE TABLE rule_breaker (account_id uuid, key uuid, owner uuid, PRIMARY KEY (account_id, key),
       CONSTRAINT astray FOREIGN KEY (owner, key) REFERENCES api_key (account_id, id))`,
    'foreign-key',
    'astray',
  ],
  [
    'CREATE FUNCTION rule_breaker() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM history $$',
    'reads-tables',
    'rule_breaker',
  ],
  [
    `CREATE TRIGGER rule_breaker BEFORE UPDATE ON history
       FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
    'trigger',
    'history.rule_breaker',
  ],
])('%s is found', async (ddl, rule, name) => {
  const client = await world.owner.connect()
  try {
    await client.query('BEGIN')
    await client.query(ddl)
    const broken = await readCatalog({ query: client.query.bind(client) })
    const found = checkCitus(broken, readStatements())
    expect(found).toMatchObject([{ rule, advice: expect.stringContaining(name) }])
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
})

describe('a statement', () => {
  const locals = new Set(['watcher'])
  const rulesOf = (text: string) => routingOf(text, tenantsOf(catalog), locals)

  test.each([
    ['SELECT id FROM history WHERE id = $1', ['unrouted']],
    ['SELECT id FROM history WHERE account_id = $1 AND id IN (SELECT id FROM favorite)', ['half-routed']],
    [
      'DELETE FROM favorite WHERE account_id = $1 AND id IN (SELECT id FROM share_item WHERE account_id = $2)',
      ['two-accounts'],
    ],
    ['SELECT id FROM webhook WHERE id = $1 FOR UPDATE', ['unrouted', 'locks-across']],
    ['INSERT INTO favorite (id, account_id) VALUES ($1, $2)', ['unrouted']],
    ['SELECT f.id FROM favorite f JOIN watcher w USING (account_id) WHERE f.account_id = $1', ['mixed']],
    [`SELECT pg_notify('keys', $1)`, ['listen']],
    ['SELECT pg_advisory_xact_lock($1)', ['advisory-lock']],
  ])('%s breaks a rule', (text, rules) => {
    expect(rulesOf(text)).toEqual(rules)
  })

  test.each([
    'SELECT id FROM history WHERE account_id = $1 AND id = $2 FOR UPDATE',
    'SELECT 1 FROM batch JOIN api_key ON api_key.account_id = batch.account_id WHERE batch.account_id = $1',
    'INSERT INTO favorite (account_id, id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    'WITH gone AS (DELETE FROM event WHERE account_id = $1 RETURNING id) SELECT count(*) FROM gone',
    'SELECT name FROM account WHERE id = $1',
    'SELECT hash FROM key_secret WHERE hash = $1',
    'SELECT 1',
  ])('%s keeps them', (text) => {
    expect(rulesOf(text)).toEqual([])
  })
})

describe('the reading of the source', () => {
  test('finds the text of a call, of a constant above or below it, and of what is put in, also from another file', () => {
    const { statements, unread } = collect(
      `import { COLUMNS } from './1.ts'
       const text = \`SELECT \${COLUMNS} FROM history\`
       const a = sql<Row<string>>('one', text, [])
       const b = [sql('two', \`SELECT \${wide ? 'a' : 'b'} FROM event \${more()}\`, []), sql('three', LATER, [])]
       const LATER = 'DELETE FROM share'
       for (const table of ['batch', 'batch_item']) await pool.run(\`DELETE FROM \${table}\`)`,
      `export const COLUMNS = 'id, day'`,
    )
    expect(unread).toEqual([])
    expect(statements.map(({ name, text }) => [name, text.trim()])).toEqual([
      ['one', 'SELECT id, day FROM history'],
      ['two', 'SELECT a FROM event  …'],
      ['two', 'SELECT b FROM event  …'],
      ['three', 'DELETE FROM share'],
      [undefined, 'DELETE FROM batch'],
      [undefined, 'DELETE FROM batch_item'],
    ])
  })

  test('tells of a call whose text it cannot find', () => {
    const read = collect(`const a = sql('hidden', textOf('filter'), [])`)
    expect(read.unread).toEqual([{ file: 'src/0.ts', line: 1, name: 'hidden' }])
    expect(checkCitus(catalog, read, [])).toContainEqual(expect.objectContaining({ rule: 'unread' }))
  })

  test('takes neither comments nor routes for statements', () => {
    expect(collect(`// SELECT id FROM history\nconst route = 'DELETE /v1/history'`)).toEqual(NOTHING)
  })
})

test('the plan spreads each table after those that it refers to', () => {
  const plan = planOf(catalog)
  const at = (table: string) => plan.findIndex((text) => text.includes(`'${table}'`))
  for (const [table, target] of [
    ['api_key', 'account'],
    ['delivery', 'event'],
    ['share_vote', 'share_item'],
  ] as const) {
    expect(at(table)).toBeGreaterThan(at(target))
  }
  expect(plan).toHaveLength(tenantsOf(catalog).size + 5)
})
