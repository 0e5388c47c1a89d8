import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openFakeResolver } from '../server/test/internet/fake-resolver.ts'

test('where the sources of availability do not answer, nothing is measured', async () => {
  const resolver = await openFakeResolver(() => [], { probes: 'shown' })
  try {
    const args = [
      new URL('run.ts', import.meta.url).pathname,
      'generate',
      '--seconds',
      '1',
      '--resolvers',
      resolver.address,
    ]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const [printed, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    expect(said).toMatch(/^the sources of availability do not answer, so a measurement would say nothing: \{.*\}$/m)
    expect(code).toBe(1)
    expect(printed).not.toContain('requests/s')
  } finally {
    await resolver.close()
  }
})
