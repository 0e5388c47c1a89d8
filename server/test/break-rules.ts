/**
 * `node server/test/break-rules.ts [ID…]`: which rules of availability do the tests protect?
 *
 * Makes each change of `broken-rules.json`, one at a time, in the working tree, and runs the tests of availability until
 * one fails. A rule that can be broken without a failing test is printed as UNNOTICED. All of them take about an hour.
 */
import { execFile } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { prepare } from './setup/services.ts'

type BrokenRule = Readonly<Record<'id' | 'file' | 'rule' | 'find' | 'replace', string>>

process.chdir(`${import.meta.dirname}/../..`)
// The cheap ones first.
const rounds = [
  'server/src/{model,flows,availability,availability/rdap,availability/registrars}/*.test.ts',
  'server/test/{{availability,bootstrap,dns,rdap}*,registrars/*}.test.ts',
  'server/src/availability/registered/*.test.ts',
  'server/src/prices/*.test.ts',
  'server/test/{sandbox,jobs/watch*,api/{contract,domains-check,due-price,generate*,names-check,no-redis,*-confirmed}}.test.ts',
].map((glob) => globSync(glob))
const env = { ...process.env, NO_COLOR: '1', NAMEWRIGHT_TEST_TIER: 'usual', NAMEWRIGHT_TEST_PREPARED: 'yes' }
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

prepare('usual')
const rules = (JSON.parse(readFileSync('server/test/broken-rules.json', 'utf8')) as BrokenRule[]).filter(
  ({ id }) => process.argv.length === 2 || process.argv.includes(id),
)
const unbroken = await findFailure(rounds)
if (unbroken !== undefined) throw new Error(`fails although nothing is broken: ${unbroken}`)
let noticed = 0
for (const { id, file, rule, find, replace } of rules) {
  const source = readFileSync(file, 'utf8')
  const parts = source.split(find)
  if (parts.length !== 2) throw new Error(`${id} fits ${file} ${parts.length - 1} times`)
  const isBeside = (tests: readonly string[]) => tests.some((test) => dirname(test) === dirname(file))
  try {
    writeFileSync(file, parts.join(replace))
    const failure = await findFailure(rounds.toSorted((a, b) => Number(isBeside(b)) - Number(isBeside(a))))
    if (failure !== undefined) noticed++
    console.log(failure === undefined ? `UNNOTICED ${id} ${rule}` : `noticed ${id} by ${failure}`)
  } finally {
    writeFileSync(file, source)
  }
}
console.log(`${noticed} of ${rules.length} noticed`)

async function findFailure(ordered: readonly string[][]): Promise<string | undefined> {
  for (const files of ordered) {
    const options = { env, signal: stop.signal, maxBuffer: 64 * 1024 * 1024 }
    try {
      await promisify(execFile)('pnpm', ['exec', 'vitest', 'run', '--bail', '1', ...files], options)
    } catch (error) {
      stop.signal.throwIfAborted()
      return /FAIL +(.*)/.exec((error as { stderr: string }).stderr)?.[1] ?? String(error)
    }
  }
  return undefined
}
