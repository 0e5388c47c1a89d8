/**
 * `pnpm release --dry-run`: everything that a release publishes, made into `deploy/out`. It publishes nothing; see mode.ts.
 *
 *   versions    all parts have one version, and in a release the tag has it too
 *   packages    the npm packages, packed, installed into empty folders and run
 *   image       for this machine's architecture: built, run, written out with its bill of materials
 *   finish      what depends on the digest of the image: compose.yaml and the notes; then the checksums of all
 *
 * Files that people download lie directly in `deploy/out`; `deploy/out/push` has what the workflow pushes to registries
 * and hands to GitHub. The image needs root and buildah, and the runs need PostgreSQL and Redis (`scripts/services`).
 */
import { execFileSync } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { makeImage } from '../image/build.ts'
import { CHECKSUMS, findMismatches, formatChecksums, sumFile } from './checksums.ts'
import type { Sum } from './checksums.ts'
import { IMAGE, packCompose } from './compose.ts'
import { digestOf, joinImages, listImage, readList } from './image-index.ts'
import { parseMode } from './mode.ts'
import type { Mode } from './mode.ts'
import { makeNotes, sectionOf } from './notes.ts'
import { packClient, packServer } from './packages.ts'
import { proveClient, proveDemo, proveServer } from './prove.ts'
import { findDisagreements, readVersions } from './versions.ts'

const ROOT = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')
const OUT = `${ROOT}/deploy/out`
const PUSH = `${OUT}/push`
const ARCHITECTURES = ['amd64', 'arm64']
const HERE = process.arch === 'x64' ? 'amd64' : process.arch

async function release(mode: Mode): Promise<void> {
  const [first] = readVersions(ROOT)
  const disagreements = findDisagreements(readVersions(ROOT), mode.tag)
  if (disagreements.length > 0) throw new Error(`the versions differ:\n  ${disagreements.join('\n  ')}`)
  const version = first?.version ?? ''
  // At once, and not after minutes of building.
  if (!mode.isDryRun) sectionOf(readFileSync(`${ROOT}/CHANGELOG.md`, 'utf8'), version)
  const seconds = Number(git('log', '-1', '--format=%ct'))
  console.log(`Namewright ${version}, ${git('rev-parse', 'HEAD')}, ${mode.isDryRun ? 'dry run' : `tag ${mode.tag}`}`)

  rmSync(OUT, { recursive: true, force: true })
  mkdirSync(PUSH, { recursive: true })
  if (mode.part === 'join') join(mode.folders)
  if (mode.part === 'all') await makePackages(version)
  if (mode.part !== 'join') await makeImages(version)
  if (mode.part !== 'image') await finish(version, seconds, mode.isDryRun)
  await printTable()
}

async function makePackages(version: string): Promise<void> {
  const [client, server] = [`${OUT}/npm-namewright-${version}.tgz`, `${OUT}/npm-namewright-server-${version}.tgz`]
  packClient(ROOT, client)
  packServer(ROOT, server)
  print('namewright', await proveClient(client, version))
  print('@namewright/server', await proveServer(server))
  print('both', await proveDemo(client, server))
}

async function makeImages(version: string): Promise<void> {
  const name = `${OUT}/namewright-${version}-linux-${HERE}`
  const archive = `${PUSH}/image.tar`
  const lines: string[] = []
  await makeImage({ bill: `${name}.cdx.json`, archive, layout: `${PUSH}/image` }, (line) => lines.push(line.trim()))
  listImage(`${PUSH}/image`)
  await pipeline(createReadStream(archive), createGzip(), createWriteStream(`${name}.tar.gz`))
  rmSync(archive)
  print(`image, linux/${HERE}`, lines)
}

/** Files of the same name cannot both be released; what follows from the image is made anew. */
function join(folders: readonly string[]): void {
  for (const folder of folders) {
    for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())) {
      if (name === CHECKSUMS || name.startsWith('namewright-compose-')) continue
      if (listOut().includes(name)) throw new Error(`${name} was made by two machines`)
      copyFileSync(`${folder}/${name}`, `${OUT}/${name}`)
    }
  }
  const joined = `${PUSH}/image`
  joinImages(
    folders.map((folder) => `${folder}/push/image`),
    joined,
  )
  const missing = ARCHITECTURES.filter((one) => !architecturesOf(joined).includes(one))
  if (missing.length > 0) throw new Error(`there is no image for ${missing.join(', ')}`)
}

async function finish(version: string, seconds: number, isDryRun: boolean): Promise<void> {
  const digest = digestOf(`${PUSH}/image`)
  writeFileSync(`${OUT}/namewright-compose-${version}.tgz`, packCompose(ROOT, version, digest, seconds))
  const changelog = readFileSync(`${ROOT}/CHANGELOG.md`, 'utf8')
  writeFileSync(`${PUSH}/notes.md`, makeNotes(changelog, version, digest, isDryRun))
  const facts = {
    version,
    image: digest,
    ...Object.fromEntries(readList(`${PUSH}/image`).manifests.map((one) => [one.platform.architecture, one.digest])),
  }
  // For the workflow: one line each, as GITHUB_OUTPUT wants them.
  const lines = Object.entries(facts).map(([key, value]) => `${key}=${value}\n`)
  writeFileSync(`${PUSH}/digests.env`, lines.join(''))
  const sums = await sumAll()
  writeFileSync(`${OUT}/${CHECKSUMS}`, formatChecksums(sums))
  const mismatches = findMismatches(readFileSync(`${OUT}/${CHECKSUMS}`, 'utf8'), await sumAll())
  if (mismatches.length > 0) throw new Error(`${CHECKSUMS}: ${mismatches.join(', ')}`)
  execFileSync('sha256sum', ['--check', '--strict', '--quiet', CHECKSUMS], { cwd: OUT, stdio: 'inherit' })
}

async function printTable(): Promise<void> {
  const rows = (await sumAll()).map(({ name, sha256 }) => [name, sizeOf(`${OUT}/${name}`), sha256])
  const manifests = readList(`${PUSH}/image`).manifests.map((one) => [one.platform.architecture, one.digest] as const)
  for (const one of ARCHITECTURES) {
    const digest = new Map(manifests).get(one)
    rows.push([`${IMAGE}, linux/${one}`, '', digest?.replace('sha256:', '') ?? 'built by the workflow'])
  }
  const list = digestOf(`${PUSH}/image`).replace('sha256:', '')
  rows.push([`${IMAGE}, all of the above that were built`, '', list])
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  console.log(`\n${'file'.padEnd(widths[0] ?? 0)}  ${'size'.padStart(widths[1] ?? 0)}  SHA-256`)
  for (const [name = '', size = '', sha256 = ''] of rows) {
    console.log(`${name.padEnd(widths[0] ?? 0)}  ${size.padStart(widths[1] ?? 0)}  ${sha256}`)
  }
}

/** Of every file that people download, but for the list itself. */
async function sumAll(): Promise<Sum[]> {
  const names = listOut().filter((name) => name !== CHECKSUMS)
  return Promise.all(names.map(async (name) => ({ name, sha256: await sumFile(`${OUT}/${name}`) })))
}

function listOut(): string[] {
  const entries = readdirSync(OUT, { withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.map(({ name }) => name).toSorted()
}

function architecturesOf(image: string): string[] {
  return readList(image).manifests.map(({ platform }) => platform.architecture)
}

function sizeOf(path: string): string {
  const { size } = statSync(path)
  return size < 1e6 ? `${(size / 1e3).toFixed(1)} kB` : `${(size / 1e6).toFixed(1)} MB`
}

function print(what: string, lines: readonly string[]): void {
  console.log(`\n${what}`)
  for (const line of lines) console.log(`  ${line}`)
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
}

try {
  await release(parseMode(process.argv.slice(2), process.env))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
