/** Makes what the service needs and the checkout lacks: the element, the web app and the manual, at once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const STEPS = ['sdk/element.ts', 'web/build.ts', 'docs/build.ts']

const codes = await Promise.all(
  STEPS.map(async (step) => {
    const script = `${import.meta.dirname}/${step}`
    const [code] = (await once(spawn(process.execPath, [script, '--if-stale'], { stdio: 'inherit' }), 'exit')) as [
      number,
    ]
    return code
  }),
)
process.exitCode = codes.every((code) => code === 0) ? 0 : 1
