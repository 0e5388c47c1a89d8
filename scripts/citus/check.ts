/**
 * Whether PostgreSQL could be spread over machines by account, as Citus does it: `node scripts/citus/check.ts`.
 *
 * Holds the schema of a freshly migrated database and every statement of `server/src` against the rules that Citus
 * writes down: keys and foreign keys carry the account, and each statement names one account, so that it runs on one
 * shard. What is excepted stands in `tables.ts` with the reason and what would have to change; an exception that nothing
 * needs any more is a violation too.
 *
 * Never: starts Citus. What it would do in truth (policies that read a setting, triggers, functions on its workers) is not
 * known from here, and what is printed says so. `--plan` prints the statements that would spread the tables.
 */
import { readFileSync } from 'node:fs'
import { openWorld } from '../../server/test/world.ts'
import { listFiles } from '../repo-files.ts'
import { reportViolations, type Violation } from '../violation.ts'
import { routingOf } from './routing.ts'
import { checkSchema, readCatalog, tenantsOf } from './schema.ts'
import type { Broken, Catalog } from './schema.ts'
import { collectStatements } from './statements.ts'
import type { Collected } from './statements.ts'
import { EXCEPTIONS, SHARED } from './tables.ts'
import type { Exception } from './tables.ts'

const ROOT = `${import.meta.dirname}/../..`
const MIGRATIONS = 'server/migrations'

const ADVICE: Readonly<Record<string, string>> = {
  unrouted: 'names no account: which shard is it for?',
  'half-routed': 'names the account for some of its tables only',
  'two-accounts': 'names two accounts, which may be on two machines',
  'locks-across': 'locks rows of more than one account',
  mixed: 'joins a table that is spread with one that is on the coordinator alone',
  listen: 'needs LISTEN or NOTIFY, which not every PostgreSQL that scales has',
  'advisory-lock': 'needs an advisory lock, which holds on one machine only',
}

export function readStatements(): Collected {
  const files = listFiles(ROOT, 'server/src').filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  return collectStatements(new Map(files.map((file) => [file, readFileSync(`${ROOT}/${file}`, 'utf8')])))
}

export function checkCitus(
  catalog: Catalog,
  { statements, unread }: Collected,
  exceptions: readonly Exception[] = EXCEPTIONS,
): Violation[] {
  const tenants = tenantsOf(catalog)
  const locals = new Set(Object.keys(SHARED).filter((name) => SHARED[name]?.as === 'local'))
  const broken: (Broken & { readonly line: number })[] = [
    ...checkSchema(catalog).map((one) => ({ ...one, line: 1 })),
    ...statements.flatMap(({ file, line, name = '', text }) =>
      routingOf(text, tenants, locals).map((rule) => ({ where: file, line, name, rule, advice: ADVICE[rule] ?? '' })),
    ),
    ...unread.map(({ file, line, name }) => ({
      where: file,
      line,
      name,
      rule: 'unread',
      advice: 'its text cannot be read here: write it as one literal',
    })),
  ]
  const isSame = (a: Exception, b: Broken) => a.where === b.where && a.name === b.name && a.rule === b.rule
  return [
    ...broken
      .filter((one) => !exceptions.some((exception) => isSame(exception, one)))
      .map(({ where, line, name, rule, advice }) => ({
        file: where.includes('/') ? where : MIGRATIONS,
        line,
        rule,
        advice: `${name} ${advice}`.trim(),
      })),
    ...exceptions
      .filter((exception) => !broken.some((one) => isSame(exception, one)))
      .map(({ where, name, rule }) => ({
        file: 'scripts/citus/tables.ts',
        line: 1,
        rule: 'stale',
        advice: `${where} ${name} ${rule} is excepted and does not happen: remove the exception`,
      })),
  ]
}

/** The statements that would spread the tables, for whoever tries it; a table after those that it refers to. */
export function planOf(catalog: Catalog): string[] {
  const references = Object.keys(SHARED).filter((name) => SHARED[name]?.as === 'reference')
  const tenants = tenantsOf(catalog)
  const done = new Set<string>()
  const add = (name: string): void => {
    if (done.has(name) || !tenants.has(name)) return
    for (const { table, target } of catalog.foreignKeys) if (table === name && target !== name) add(target)
    done.add(name)
  }
  add('account')
  for (const name of tenants) add(name)
  return [
    ...references.map((name) => `SELECT create_reference_table('${name}');`),
    ...[...done].map((name) =>
      name === 'account'
        ? `SELECT create_distributed_table('account', 'id');`
        : `SELECT create_distributed_table('${name}', 'account_id', colocate_with => 'account');`,
    ),
  ]
}

if (import.meta.main) {
  await using world = await openWorld()
  const catalog = await readCatalog(world.owner)
  const collected = readStatements()
  process.exitCode = reportViolations(checkCitus(catalog, collected), console.log)
  if (process.argv.includes('--plan')) console.log(planOf(catalog).join('\n'))
  const tenants = tenantsOf(catalog).size
  const count = `${collected.statements.length} statements, ${tenants} tables spread by account, ${Object.keys(SHARED).length} that are not`
  console.log(
    `${count}, ${EXCEPTIONS.length} exceptions; read against the rules of Citus, which is not installed and was never started`,
  )
}
