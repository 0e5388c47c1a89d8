/**
 * Whether a change has lost a test: the names of all tests of both tiers, and what is missing of an earlier list.
 *
 *   pnpm exec node scripts/test/names.ts > names.txt            before the change
 *   pnpm exec node scripts/test/names.ts --against names.txt    after it; exit code 1 when a name is gone
 *
 * A name that is there twice counts twice, and in which file it is does not matter. What was renamed stands in
 * renamed.json, the old name before the new one.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'

const ROOT = `${import.meta.dirname}/../..`

export type Renamed = Readonly<Record<string, string>>

/** The names that are more often in `before` than in `after`, as often as they are. */
export function missingIn(after: readonly string[], before: readonly string[], renamed: Renamed): string[] {
  const left = new Map<string, number>()
  for (const name of after) left.set(name, (left.get(name) ?? 0) + 1)
  return before.filter((name) => {
    // Several tests may have become one, so a new name stands for any number of old ones.
    if (after.includes(renamed[name] ?? '')) return false
    const count = left.get(name) ?? 0
    left.set(name, count - 1)
    return count < 1
  })
}

/** What both tiers have alike is counted once. */
export function namesOfTiers(usual: readonly string[], full: readonly string[]): string[] {
  return [...usual, ...missingIn(usual, full, {})]
}

/** One line, without what differs from run to run. */
function steady(name: string): string {
  return name
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
    .replaceAll(/\/(?:[\w.-]+\/)*namewright-run-\w+/g, tmpdir())
}

function listTests(tier: 'usual' | 'full'): string[] {
  const output = execFileSync('pnpm', ['exec', 'vitest', 'list', '--json', '--staticParse=false'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, NAMEWRIGHT_TEST_TIER: tier },
  })
  const listed = JSON.parse(output.slice(output.indexOf('[\n'))) as { name: string }[]
  return listed.map(({ name }) => steady(name))
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { against: { type: 'string' } } })
  const names = namesOfTiers(listTests('usual'), listTests('full')).toSorted()
  if (values.against === undefined) console.log(names.join('\n'))
  else {
    const renamed = JSON.parse(readFileSync(new URL('renamed.json', import.meta.url), 'utf8')) as Renamed
    const before = readFileSync(values.against, 'utf8').split('\n').filter(Boolean).map(steady)
    const missing = missingIn(names, before, renamed)
    for (const name of missing) console.log(`gone: ${name}`)
    console.log(`${before.length} before, ${names.length} now, ${missing.length} gone`)
    process.exitCode = missing.length === 0 ? 0 : 1
  }
}
