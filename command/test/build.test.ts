/** The command as published: JavaScript, for the oldest supported Node, with a short start-up time. */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCommand } from '../../scripts/command/build.ts'
import { openFolder } from './harness.ts'
import type { Folder } from './harness.ts'

const MANIFEST = new URL('../package.json', import.meta.url)

let folder: Folder
let bin: string
beforeAll(async () => {
  folder = openFolder()
  await buildCommand(folder.path, 1)
  copyFileSync(MANIFEST, `${folder.path}/package.json`)
  cpSync(new URL('../bin', import.meta.url), `${folder.path}/bin`, { recursive: true })
  bin = `${folder.path}/${(JSON.parse(readFileSync(MANIFEST, 'utf8')) as { bin: { namewright: string } }).bin.namewright}`
}, 120_000)
afterAll(() => folder[Symbol.dispose]())

const isNode = (path: string) =>
  existsSync(path) && Number(/\d+/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))) >= 20

test('it runs in every installed Node', () => {
  for (const node of [process.execPath, '/usr/bin/node'].filter(isNode)) {
    const run = (...args: readonly string[]) =>
      spawnSync(node, [bin, ...args], { encoding: 'utf8', env: { HOME: folder.path } })
    expect(run('version').stdout).toBe(
      `${(JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }).version}\n`,
    )
    expect(run('help').stdout).toContain('namewright COMMAND')
    expect(run('completion', 'bash').status).toBe(0)
    const refused = run('usage')
    expect([refused.status, refused.stdout]).toEqual([2, ''])
  }
})

test('it starts with a shebang', () => {
  expect(readFileSync(bin, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
})

test('its start takes less than twice that of Node alone', { timeout: 120_000 }, () => {
  const time = (args: readonly string[]): number => {
    const before = performance.now()
    execFileSync(process.execPath, args, { env: {} })
    return performance.now() - before
  }
  // The minimum of many alternating runs, which the load of the machine affects least.
  const [node, command]: [number[], number[]] = [[], []]
  for (let i = 0; i < 15; i++) {
    node.push(time(['-e', '0']))
    command.push(time([bin, 'version']))
  }
  const [bare, started] = [Math.min(...node), Math.min(...command)]
  console.log(`node -e 0: ${bare.toFixed(0)} ms; namewright version: ${started.toFixed(0)} ms`)
  expect(started).toBeLessThan(2 * bare + 20)
})
