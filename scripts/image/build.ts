/**
 * `pnpm image`: the image without a registry, and a run of it.
 *
 *   tree      the root file system, by scripts/image/tree.ts
 *   buildah   deploy/image/Containerfile, with the tree in place of its build stage
 *   smoke     the image is run as it stands, read-only, as its user, without a shell; see smoke.ts
 *   out       deploy/out/namewright-VERSION.tar for `podman load` or `docker load`, and the bill of materials beside it
 *
 * `--no-archive` leaves the last step out. Everything in between is made in a folder of its own and removed. It needs
 * root, buildah, and for the run the services that `scripts/services --tests` starts. A release makes its image by the same
 * `makeImage`.
 */
import { deepStrictEqual } from 'node:assert'
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import type { Image, ImageConfig } from './image-config.ts'
import { readRecipe } from './recipe.ts'
import { runSmoke } from './smoke.ts'
import { makeTree } from './tree.ts'

const ROOT = `${import.meta.dirname}/../..`

/** Builds in `folder`, hands the mounted image to `use`, and unmounts it. */
export async function withImage<T>(folder: string, use: (image: Image, buildah: Buildah) => Promise<T>): Promise<T> {
  const buildah: Buildah = (...args) =>
    execFileSync(
      'buildah',
      ['--root', `${folder}/storage`, '--runroot', `${folder}/run`, '--storage-driver', 'vfs', ...args],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 },
    ).trim()
  makeTree(`${folder}/out`)
  const version = versionOf()
  const built = buildah('from', 'scratch')
  buildah('copy', '--quiet', built, `${folder}/out`, '/out')
  buildah('commit', '--quiet', '--rm', built, 'localhost/namewright-tree')
  const args = { TREE: 'localhost/namewright-tree', VERSION: version, REVISION: revisionOf() }
  buildah(
    'build',
    '--isolation=chroot',
    '--format=docker',
    '--pull-never',
    // A date would make two images of the same tree differ.
    '--timestamp=0',
    ...Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
    `--file=${ROOT}/deploy/image/Containerfile`,
    `--tag=localhost/namewright:${version}`,
    // Nothing is taken from the context: everything is in the tree.
    `${folder}/out/data`,
  )
  const container = buildah('from', '--pull-never', `localhost/namewright:${version}`)
  try {
    const root = buildah('mount', container)
    const inspected = JSON.parse(buildah('inspect', container)) as {
      FromImageID: string
      Docker: { config: ImageConfig }
    }
    // What the usual tests run is what was built.
    const { User, Entrypoint, Volumes, Healthcheck } = inspected.Docker.config
    const wanted = readRecipe()
    deepStrictEqual([User, Entrypoint, Volumes], [wanted.User, wanted.Entrypoint, wanted.Volumes])
    deepStrictEqual(Healthcheck.Test, wanted.Healthcheck.Test)
    const kilobytes = execFileSync('du', ['-sk', root], { encoding: 'utf8' })
    const megabytes = Math.round(Number.parseInt(kilobytes, 10) / 1024)
    return await use({ root, config: inspected.Docker.config, id: inspected.FromImageID, megabytes }, buildah)
  } finally {
    buildah('umount', container)
    buildah('rm', container)
  }
}

export type Buildah = (...args: readonly string[]) => string

export function versionOf(): string {
  return (JSON.parse(readFileSync(`${ROOT}/server/package.json`, 'utf8')) as { version: string }).version
}

function revisionOf(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

/** What the building of an image needs and this machine does not have, with what to do about it. */
function findMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'building the image needs root: it mounts file systems and changes owners'
  if (spawnSync('buildah', ['--version']).error) return 'buildah is not installed: apt-get install -y buildah'
  return undefined
}

/** Where what is made goes; what is left out is not made. */
export interface ImageOutputs {
  readonly bill: string
  /** For `docker load`. */
  readonly archive?: string
  /** A folder for `skopeo copy dir:`: the manifest and the compressed layers, as a registry would store them. */
  readonly layout?: string
}

/** Builds the image, runs it, and writes it out. */
export async function makeImage(
  { bill, archive, layout }: ImageOutputs,
  print: (line: string) => void = console.log,
): Promise<void> {
  const missing = findMissing()
  if (missing !== undefined) throw new Error(missing)
  const folder = mkdtempSync(`${tmpdir()}/namewright-image-`)
  const startedAt = performance.now()
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
  try {
    await withImage(folder, async (image, buildah) => {
      print(`built ${image.id.slice(0, 12)}, ${image.megabytes} MB, after ${seconds()}`)
      for (const line of await runSmoke(image, `${folder}/volume`)) print(`  ${line}`)
      print(`ran, after ${seconds()}`)
      mkdirSync(dirname(bill), { recursive: true })
      copyFileSync(`${image.root}/app/sbom.cdx.json`, bill)
      const name = `localhost/namewright:${versionOf()}`
      for (const path of [archive, layout]) if (path !== undefined) rmSync(path, { recursive: true, force: true })
      if (archive !== undefined) buildah('push', '--quiet', name, `docker-archive:${archive}`)
      if (layout !== undefined) buildah('push', '--quiet', '--format=v2s2', name, `dir:${layout}`)
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const out = `${ROOT}/deploy/out/namewright-${versionOf()}`
  try {
    const archive = process.argv.includes('--no-archive') ? {} : { archive: `${out}.tar` }
    await makeImage({ bill: `${out}.cdx.json`, ...archive })
    if (archive.archive) console.log(`deploy/out/namewright-${versionOf()}.tar, ${megabytesOf(archive.archive)} MB`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

function megabytesOf(path: string): number {
  return Math.round(statSync(path).size / 2 ** 20)
}
