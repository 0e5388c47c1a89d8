/** The commands of `namewright-server` as processes: each loads its own code and no more. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MAIN = new URL('../src/main.ts', import.meta.url).pathname
const TELL_CPU = `data:text/javascript,process.on('exit',()=>console.error('cpu',Object.values(process.cpuUsage()).join('+')))`
// A fifth of what loading the whole service takes.
const MOST_CPU_MS = 400

const run = promisify(execFile)

test('help says what there is, without loading the service', async () => {
  const { stdout, stderr } = await run(process.execPath, ['--import', TELL_CPU, MAIN, 'help'])
  expect(stdout).toContain('namewright-server migrate')
  const [user = Number.NaN, system = Number.NaN] = /cpu (\d+)\+(\d+)/.exec(stderr)?.slice(1).map(Number) ?? []
  expect((user + system) / 1000).toBeLessThan(MOST_CPU_MS)
})

test('a command that does not exist says so and ends with 2', async () => {
  const refused = await run(process.execPath, [MAIN, 'serf']).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no command serf.') })
})
