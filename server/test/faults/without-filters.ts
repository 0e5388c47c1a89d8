/**
 * Loaded before the service (`--import`), it takes the account out of every filter in the SQL that the service sends:
 * what a forgotten `WHERE account_id = …` would be, in all statements at once.
 *
 * Sits where node-postgres writes the Parse message, so no statement with parameters passes by it.
 */
import pg from 'pg'

type ParseArgs = Parameters<pg.Connection['parse']>

// Only the account's filter goes; the parameter stays in use, so that its type is still known.
const withoutFilters = (text: string) => text.replace(/\b(?:\w+\.)?account_id = \$1\b/g, () => '$1::uuid IS NOT NULL')

const { parse } = pg.Connection.prototype as { parse: (this: pg.Connection, ...args: ParseArgs) => void }
pg.Connection.prototype.parse = function parseWithoutFilters(...[query, more]: ParseArgs) {
  parse.call(this, { ...query, text: withoutFilters(query.text) }, more)
}
