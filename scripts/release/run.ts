/**
 * `pnpm release --dry-run`: the npm packages and the notes of a release, made into `deploy/out` and run. It publishes
 * nothing: a release is a tag, from which .github/workflows/release.yml makes the same files and publishes them, and builds
 * the image. See docs/releasing.md.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { sectionOf } from './notes.ts'
import { packBuilt, packSources } from './packages.ts'
import { proveClient, proveCommand, proveDemo, proveIndex, proveNames, proveServer } from './prove.ts'
import { findDisagreements, readVersions } from './versions.ts'

const ROOT = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')
const OUT = `${ROOT}/deploy/out`

async function release(tag?: string): Promise<void> {
  const stated = readVersions(ROOT)
  const disagreements = findDisagreements(stated, tag)
  if (disagreements.length > 0) throw new Error(`the versions differ:\n  ${disagreements.join('\n  ')}`)
  const version = stated[0]?.version ?? ''
  const changelog = readFileSync(`${ROOT}/CHANGELOG.md`, 'utf8')
  const notes = sectionOf(changelog, tag === undefined ? 'Unreleased' : version)

  rmSync(OUT, { recursive: true, force: true })
  mkdirSync(OUT, { recursive: true })
  writeFileSync(`${OUT}/notes.md`, `${notes}\n`)
  const command = `${OUT}/npm-namewright-${version}.tgz`
  const client = `${OUT}/npm-namewright-client-${version}.tgz`
  const names = `${OUT}/npm-namewright-names-${version}.tgz`
  const index = `${OUT}/npm-namewright-zone-index-${version}.tgz`
  const server = `${OUT}/npm-namewright-server-${version}.tgz`
  packBuilt(`${ROOT}/command`, command)
  packBuilt(`${ROOT}/sdk`, client)
  packSources(`${ROOT}/packages/names`, names)
  packSources(`${ROOT}/packages/zone-index`, index)
  packSources(`${ROOT}/server`, server)
  print(`namewright ${version}, ${sizeOf(command)}`, await proveCommand(command, version))
  print(`@namewright/client ${version}, ${sizeOf(client)}`, await proveClient(client))
  print(`@namewright/names ${version}, ${sizeOf(names)}`, await proveNames(names))
  print(`@namewright/zone-index ${version}, ${sizeOf(index)}`, await proveIndex(index))
  print(`@namewright/server ${version}, ${sizeOf(server)}`, await proveServer(names, index, server))
  print('all', await proveDemo(command, names, index, server))
}

function sizeOf(path: string): string {
  return `${(statSync(path).size / 1e6).toFixed(1)} MB`
}

function print(what: string, lines: readonly string[]): void {
  console.log([what, ...lines].join('\n  '))
}

const { GITHUB_REF_TYPE, GITHUB_REF_NAME } = process.env
const isTag = GITHUB_REF_TYPE === 'tag' && GITHUB_REF_NAME !== undefined
const isDryRun = process.argv[2] === '--dry-run'
try {
  if (!isDryRun && !isTag) throw new Error('pnpm release --dry-run; a release is a tag, see docs/releasing.md')
  await release(isDryRun ? undefined : GITHUB_REF_NAME)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
