/**
 * Migrations that running nodes survive: `node scripts/check-migrations.ts`.
 *
 * squawk reads every file in `server/migrations/` and knows which statements hold a table for long. What it may not say is
 * in two lists below, each entry with its reason: rules that our runner makes true for every file, and places in files that
 * have landed, which never change. A file that has not landed has no exceptions; `docs/operating/migrations.md` says how
 * each change is made instead. An exception that nothing needs any more is a violation too.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { isOutsideTransaction } from '../server/src/platform/db/migration-file.ts'
import { reportViolations, type Violation } from './violation.ts'

const ROOT = `${import.meta.dirname}/..`
const FOLDER = 'server/migrations'

/** True of every file, because `server/src/platform/db/migrate.ts` does it, or not a matter of locks. */
const NOT_ASKED: Readonly<Record<string, string>> = {
  'require-lock-timeout': 'the runner connects with lock_timeout=2s',
  'require-statement-timeout': 'a file holds no lock that others wait for; how long it takes hurts nobody',
  'prefer-bigint-over-int': 'counts with a limit of their own, checked by constraint',
  'prefer-bigint-over-smallint': 'counts with a limit of their own, checked by constraint',
}

/** In files that have landed. Each was applied to tables that were empty or small enough to be scanned within the lock. */
export const LANDED: readonly { readonly file: string; readonly rule: string; readonly reason: string }[] = [
  {
    file: '0002_people.sql',
    rule: 'constraint-missing-not-valid',
    reason: 'tables of keys, of the first release after 0001: a scan of milliseconds',
  },
  {
    file: '0002_people.sql',
    rule: 'adding-foreign-key-constraint',
    reason: 'the same: keys and accounts of the first release',
  },
  { file: '0002_people.sql', rule: 'disallowed-unique-constraint', reason: 'the same' },
  {
    file: '0007_publishable_keys.sql',
    rule: 'constraint-missing-not-valid',
    reason: 'the table of keys: thousands of rows, scanned in milliseconds',
  },
  {
    file: '0009_shares.sql',
    rule: 'require-concurrent-index-creation',
    reason: 'the changes of watched favorites, a table of the release before: indexed in milliseconds',
  },
  {
    file: '0010_operator.sql',
    rule: 'require-concurrent-index-creation',
    reason: 'the table of accounts: thousands of rows, indexed in milliseconds',
  },
]

interface Found {
  readonly file: string
  readonly line: number
  readonly message: string
  readonly help: string | null
  readonly rule_name: string
}

/** Texts by file name; answers what squawk says of them, less what is excepted. */
export async function checkMigrations(texts: ReadonlyMap<string, string>): Promise<Violation[]> {
  const said = (await Promise.all([...texts].map(([file, text]) => ask(file, text)))).flat()
  const isExcepted = ({ file, rule_name }: Found) =>
    LANDED.some((landed) => landed.file === file && landed.rule === rule_name)
  const unused = LANDED.filter(
    ({ file, rule }) => texts.has(file) && !said.some((found) => found.file === file && found.rule_name === rule),
  )
  const mixed = [...texts].filter(([, text]) => /\bCONCURRENTLY\b/.test(text) && !isOutsideTransaction(text))
  return [
    ...mixed.map(([file]) => ({
      file: `${FOLDER}/${file}`,
      line: 1,
      rule: 'concurrently-in-transaction',
      advice: 'PostgreSQL refuses it inside a transaction: begin the file with the line "-- Outside a transaction."',
    })),
    ...said
      .filter((found) => !isExcepted(found))
      .map(({ file, line, message, help, rule_name }) => ({
        file: `${FOLDER}/${file}`,
        line: line + 1,
        rule: rule_name,
        advice: `${message} ${help ?? ''}`.trim(),
      })),
    ...unused.map(({ file, rule }) => ({
      file: `${FOLDER}/${file}`,
      line: 1,
      rule,
      advice: 'is excepted in scripts/check-migrations.ts and does not happen: remove the exception',
    })),
  ]
}

async function ask(file: string, text: string): Promise<Found[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const args = [
    ...(isOutsideTransaction(text) ? ['--no-assume-in-transaction'] : ['--assume-in-transaction']),
    '--pg-version=15.0',
    '--reporter=json',
    `--exclude=${Object.keys(NOT_ASKED).join(',')}`,
    `--stdin-filepath=${file}`,
  ]
  const child = execFile(`${ROOT}/node_modules/.bin/squawk`, args, { cwd: `${ROOT}/${FOLDER}` }, (error, stdout) => {
    // It ends with 1 when it has something to say.
    if (error && stdout === '') reject(error)
    else resolve(stdout)
  })
  child.stdin?.end(text)
  return JSON.parse(await promise) as Found[]
}

if (import.meta.main) {
  const files = readdirSync(`${ROOT}/${FOLDER}`).filter((name) => name.endsWith('.sql'))
  const texts = new Map(files.map((file) => [file, readFileSync(`${ROOT}/${FOLDER}/${file}`, 'utf8')]))
  process.exitCode = reportViolations(await checkMigrations(texts), console.log)
  if (process.exitCode === 0) console.log(`${files.length} migrations, 0 that running nodes would notice`)
}
