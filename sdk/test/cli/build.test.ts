/** The command as it is published: JavaScript, in the oldest Node that it is for, and quick to start. */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildSdk } from '../../../scripts/sdk/build.ts'
import { openFolder } from './harness.ts'
import type { Folder } from './harness.ts'

const MANIFEST = new URL('../../package.json', import.meta.url)

let folder: Folder
let bin: string
beforeAll(() => {
  folder = openFolder()
  buildSdk(`${folder.path}/dist`)
  copyFileSync(MANIFEST, `${folder.path}/package.json`)
  bin = `${folder.path}/${(JSON.parse(readFileSync(MANIFEST, 'utf8')) as { bin: { namewright: string } }).bin.namewright}`
}, 120_000)
afterAll(() => folder[Symbol.dispose]())

const isNode = (path: string) =>
  existsSync(path) && Number(/\d+/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))) >= 20

test('it runs in every Node there is here', () => {
  for (const node of [process.execPath, '/usr/bin/node'].filter(isNode)) {
    const run = (...args: readonly string[]) =>
      spawnSync(node, [bin, ...args], { encoding: 'utf8', env: { HOME: folder.path } })
    expect(run('version').stdout).toBe(
      `${(JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }).version}\n`,
    )
    expect(run('help').stdout).toContain('namewright COMMAND')
    expect(run('completion', 'bash').status).toBe(0)
    const refused = run('suggest', 'a bakery')
    expect([refused.status, refused.stdout]).toEqual([3, ''])
  }
})

test('it begins with the line by which a shell knows how to run it', () => {
  expect(readFileSync(bin, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
})

test('its start takes less than twice that of Node alone', { timeout: 120_000 }, () => {
  const time = (args: readonly string[]): number => {
    const before = performance.now()
    execFileSync(process.execPath, args, { env: {} })
    return performance.now() - before
  }
  // The least of many, in turn: whatever else the machine does hits both alike, and the least of them hardly.
  const [node, command]: [number[], number[]] = [[], []]
  for (let i = 0; i < 15; i++) {
    node.push(time(['-e', '0']))
    command.push(time([bin, 'version']))
  }
  const [bare, started] = [Math.min(...node), Math.min(...command)]
  console.log(`node -e 0: ${bare.toFixed(0)} ms; namewright version: ${started.toFixed(0)} ms`)
  expect(started).toBeLessThan(2 * bare + 20)
})
