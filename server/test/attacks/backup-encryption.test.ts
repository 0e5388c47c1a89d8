/** Backups hold what tenants wrote: the shipped configuration encrypts them, and nothing works until a passphrase is set. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const SHIPPED = new URL('../../../deploy/backup/pgbackrest.conf', import.meta.url)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'namewright-cipher-'))
  await mkdir(join(folder, 'conf.d'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function info(more: string): Promise<{ code: number; said: string }> {
  const config = join(folder, 'pgbackrest.conf')
  const shipped = await readFile(SHIPPED, 'utf8')
  await writeFile(
    config,
    shipped.replace(/^repo1-path=.*$/m, `repo1-path=${folder}/store\nlog-path=${folder}\n${more}`),
  )
  const words = [
    `--config=${config}`,
    `--config-include-path=${folder}/conf.d`,
    '--stanza=namewright',
    '--output=json',
    'info',
  ]
  const { promise, resolve } = Promise.withResolvers<{ code: number; said: string }>()
  execFile('pgbackrest', words, (error, stdout, stderr) =>
    resolve({ code: error === null ? 0 : 1, said: `${stdout}${stderr}` }),
  )
  return promise
}

test('the shipped configuration does not make backups that anybody could read', async () => {
  const without = await info('')
  expect(without.said).toContain('repo1-cipher-pass')
  expect(without.code).toBe(1)
  const encrypted = await info('repo1-cipher-pass=only-for-this-test')
  expect(encrypted.said).toContain('"cipher":"aes-256-cbc"')
})
