/**
 * What the service shows outside, as files: a change that is meant to change nothing leaves them as they are. Where one
 * is changed on purpose, `pnpm test server/test/golden.test.ts -u` writes it anew. What the settings answer and which tools
 * agents see is in `api/golden`. Metrics and environment settings are held against their pages,
 * `docs/operating/metrics.md` and `docs/configuration.md`.
 */
import { expect, test } from 'vitest'
import { runCommand } from './run-command.ts'

test('the list of routes needs no settings, and names the access and the limits of each', async () => {
  const { code, stdout, stderr } = await runCommand(['routes'], {})
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  await expect(stdout).toMatchFileSnapshot('golden/routes.txt')
})
