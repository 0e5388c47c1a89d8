/** `packageManager` in package.json decides the version of pnpm; every file that installs pnpm agrees with it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const ROOT = new URL('..', import.meta.url).pathname
const { packageManager, devDependencies } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
  packageManager: string
  devDependencies: Record<string, string>
}
const version = /^pnpm@(\d+\.\d+\.\d+)$/.exec(packageManager)?.[1]

// They name the version, because nothing can read package.json where they run or are read.
const NAME_IT = ['.devcontainer/Dockerfile', 'CONTRIBUTING.md', 'README.md', 'deploy/image/Containerfile']
// They read package.json themselves.
const READ_IT = ['.ci/run', '.github/actions/setup/action.yml']

test('every file that names a version of pnpm names the same', () => {
  expect(version).toBeDefined()
  const found = execFileSync('git', ['grep', '-l', '-I', 'pnpm@[0-9]', '--', ':!pnpm-lock.yaml', ':!package.json'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const naming = found
    .trim()
    .split('\n')
    .map((path) => ({ path, named: namedIn(readFileSync(ROOT + path, 'utf8')) }))
  expect(naming.map(({ path }) => path)).toEqual(expect.arrayContaining(NAME_IT))
  for (const { path, named } of naming) expect(new Set(named), path).toEqual(new Set([version]))
})

test.each(READ_IT)('%s reads the version from package.json', (path) => {
  const command = /\$\((sed .* package\.json)\)/.exec(readFileSync(ROOT + path, 'utf8'))?.[1]
  expect(command).toBeDefined()
  expect(execFileSync('sh', ['-c', command ?? ''], { cwd: ROOT, encoding: 'utf8' }).trim()).toBe(version)
})

test('pnpm chooses packages for the Node that we pin', () => {
  const { nodeVersion } = parse(readFileSync(`${ROOT}pnpm-workspace.yaml`, 'utf8')) as { nodeVersion: string }
  expect(nodeVersion).toBe(devDependencies['node'])
})

function namedIn(text: string): string[] {
  return [...text.matchAll(/\bpnpm@(\d+\.\d+\.\d+)/g)].map(([, named = '']) => named)
}
