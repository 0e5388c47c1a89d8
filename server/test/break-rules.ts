/**
 * `node server/test/break-rules.ts LIST [ID…]`: which changes of the code do the tests notice?
 *
 * Makes each change of the list, `broken-rules.json` or `thirty-defects.json`, one at a time, in the working tree, and
 * runs the tests of its area until one fails. What no test notices is printed as UNNOTICED. A list takes about an hour.
 */
import { execFile } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, matchesGlob } from 'node:path'
import { promisify } from 'node:util'

type Change = Readonly<Record<'id' | 'file' | 'find' | 'replace', string>> & { readonly area?: string }

process.chdir(`${import.meta.dirname}/../..`)
// Of each area the cheap ones first.
const TESTS: Readonly<Record<string, readonly string[]>> = {
  availability: [
    'server/src/{model,features/{check,generate,watch},engines/availability,engines/availability/{rdap,registrars}}/*.test.ts',
    'server/test/{{availability,bootstrap,dns,rdap}*,registrars/*}.test.ts',
    'packages/zone-index/src/*.test.ts',
    'server/src/engines/prices/*.test.ts',
    'server/test/{sandbox,jobs/watch*,api/{contract,domains-check,due-price,generate*,names-check,no-redis,*-confirmed}}.test.ts',
  ],
  quota: ['server/test/{faults/quota*,spending,quota,attacks/daily-checks,api/usage}.test.ts'],
  "tenants' separation": ['server/test/{operator,attacks/application-rules,auth/settings-members}.test.ts'],
  'sessions and sign-in': [
    'server/test/{attacks/address-proof,attacks/stale-consent,attacks/step-up,auth/passwords,auth/second-factor}.test.ts',
  ],
  idempotency: ['server/test/{api/idempotency,faults/idempotency,jobs/webhook-api}.test.ts'],
  webhooks: ['server/src/platform/outbound/*.test.ts', 'server/test/jobs/webhook*.test.ts'],
  prices: ['server/src/engines/prices/*.test.ts'],
  'web app': ['web/src/**/*.test.ts', 'web/test/journeys/{lists,people,search}.test.ts'],
}
const env = { ...process.env, NO_COLOR: '1', NAMEWRIGHT_TEST_TIER: 'usual' }
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

const [list = '', ...ids] = process.argv.slice(2)
const changes = (JSON.parse(readFileSync(list, 'utf8')) as Change[]).filter(
  ({ id }) => ids.length === 0 || ids.includes(id),
)
const unbroken = await findFailure([...new Set(changes.flatMap(globsOf))])
if (unbroken !== undefined) throw new Error(`fails although nothing is broken: ${unbroken}`)
let noticed = 0
for (const change of changes) {
  const { id, file, find, replace } = change
  const source = readFileSync(file, 'utf8')
  const parts = source.split(find)
  if (parts.length !== 2) throw new Error(`${id} fits ${file} ${parts.length - 1} times`)
  const isBeside = (glob: string) => matchesGlob(`${dirname(file)}/beside.test.ts`, glob)
  try {
    writeFileSync(file, parts.join(replace))
    const failure = await findFailure(globsOf(change).toSorted((a, b) => Number(isBeside(b)) - Number(isBeside(a))))
    if (failure !== undefined) noticed++
    console.log(failure === undefined ? `UNNOTICED ${id}` : `noticed ${id} by ${failure}`)
  } finally {
    writeFileSync(file, source)
  }
}
console.log(`${noticed} of ${changes.length} noticed`)

function globsOf({ id, area = 'availability' }: Change): readonly string[] {
  const globs = TESTS[area]
  if (globs === undefined) throw new Error(`${id} is of no area: ${area}`)
  return globs
}

async function findFailure(globs: readonly string[]): Promise<string | undefined> {
  for (const glob of globs) {
    const options = { env, signal: stop.signal, maxBuffer: 64 * 1024 * 1024 }
    try {
      await promisify(execFile)('pnpm', ['exec', 'vitest', 'run', '--bail', '1', ...globSync(glob)], options)
    } catch (error) {
      stop.signal.throwIfAborted()
      return /FAIL +(.*)/.exec((error as { stderr: string }).stderr)?.[1] ?? String(error)
    }
  }
  return undefined
}
