/** The check of migrations finds what running nodes would notice, and passes how it is done instead. */
import { expect, test } from 'vitest'
import { checkMigrations } from './check-migrations.ts'

const rulesOf = async (text: string) =>
  (await checkMigrations(new Map([['9999_next.sql', text]]))).map(({ rule }) => rule)

test.each([
  ['CREATE INDEX by_note ON favorite (note);', 'require-concurrent-index-creation'],
  ['ALTER TABLE favorite ADD CONSTRAINT short CHECK (note <> $$x$$);', 'constraint-missing-not-valid'],
  ['ALTER TABLE favorite ALTER COLUMN note SET NOT NULL;', 'adding-not-nullable-field'],
  ['ALTER TABLE favorite RENAME COLUMN note TO remark;', 'renaming-column'],
  ['ALTER TABLE favorite ALTER COLUMN note TYPE varchar(9);', 'changing-column-type'],
  ['ALTER TABLE favorite DROP COLUMN note;', 'ban-drop-column'],
])('%s is refused', async (text, rule) => {
  expect(await rulesOf(text)).toContain(rule)
})

test.each([
  'ALTER TABLE favorite ADD COLUMN shade text;',
  'ALTER TABLE favorite ADD CONSTRAINT short CHECK (note <> $$x$$) NOT VALID;',
  'CREATE TABLE shade (id bigint PRIMARY KEY, name text NOT NULL); CREATE INDEX shade_name ON shade (name);',
  '-- Outside a transaction.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS by_note ON favorite (account_id, note);',
])('%s passes', async (text) => {
  expect(await rulesOf(text)).toEqual([])
})

test('a concurrent index inside a transaction is refused', async () => {
  const text = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS by_note ON favorite (account_id, note);'
  expect(await rulesOf(text)).toContain('concurrently-in-transaction')
})
