import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'

const STOPPED_MS = 3_000
const SCRIPT = `
  import { runningMs } from '${import.meta.resolve('./running-ms.ts')}'
  const [running, wall] = [runningMs(), performance.now()]
  const told = () => JSON.stringify({ running: runningMs() - running, wall: performance.now() - wall })
  process.on('message', (blockedMs) => {
    const end = process.cpuUsage().user + blockedMs * 1000
    while (process.cpuUsage().user < end);
    process.send(told())
  })
  process.send('ready')
`

test('counts what a process waits and works, and not what it stands still', { timeout: 60_000 }, async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ask = async (blockedMs: number): Promise<{ running: number; wall: number }> => {
    const answer = once(child, 'message')
    child.send(blockedMs)
    return JSON.parse(String((await answer)[0]))
  }
  try {
    await once(child, 'message')
    await ask(0)
    const before = await ask(0)
    child.kill('SIGSTOP')
    await sleep(STOPPED_MS)
    child.kill('SIGCONT')
    const after = await ask(0)
    const missed = after.wall - before.wall - (after.running - before.running)
    expect(missed).toBeGreaterThan(STOPPED_MS * 0.9)
    await sleep(500)
    const waited = await ask(0)
    expect(waited.running - after.running).toBeGreaterThan(0)
    const worked = await ask(500)
    expect(worked.running - waited.running).toBeGreaterThan(450)
    expect(worked.running).toBeLessThanOrEqual(worked.wall)
  } finally {
    child.kill('SIGKILL')
  }
})
