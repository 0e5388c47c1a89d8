/**
 * `pnpm image`: the image without a registry, and a run of it.
 *
 *   tree      the root file system, by scripts/image/tree.ts
 *   buildah   deploy/image/Containerfile, with the tree in place of its build stage
 *   smoke     the image is run as it stands, read-only, as its user, without a shell; see smoke.ts
 *   out       deploy/out/namewright-VERSION.tar for `podman load` or `docker load`, and the bill of materials beside it
 *
 * `--no-archive` leaves the last step out. Everything in between is made in a folder of its own and removed. It needs
 * root, buildah, and for the run the services that `scripts/services --tests` starts.
 */
import { deepStrictEqual } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { readRecipe } from './recipe.ts'
import { runSmoke } from './smoke.ts'
import { makeTree } from './tree.ts'

const ROOT = `${import.meta.dirname}/../..`

/** As much of an image as can be run. */
export interface Runnable {
  /** Where its root file system is mounted. */
  readonly root: string
  readonly config: Pick<ImageConfig, 'User' | 'Env' | 'Entrypoint' | 'Volumes' | 'Healthcheck'>
}

export interface Image extends Runnable {
  readonly config: ImageConfig
  readonly id: string
  readonly megabytes: number
}

export interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Volumes: Readonly<Record<string, object>>
  readonly Labels: Readonly<Record<string, string>>
  readonly Healthcheck: { readonly Test: readonly string[] }
}

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

if (import.meta.main) {
  const folder = mkdtempSync(`${tmpdir()}/namewright-image-`)
  const startedAt = performance.now()
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
  try {
    await withImage(folder, async (image, buildah) => {
      console.log(`built ${image.id.slice(0, 12)}, ${image.megabytes} MB, after ${seconds()}`)
      for (const line of await runSmoke(image, `${folder}/volume`)) console.log(`  ${line}`)
      console.log(`ran, after ${seconds()}`)
      const out = `${ROOT}/deploy/out`
      mkdirSync(out, { recursive: true })
      copyFileSync(`${image.root}/app/sbom.cdx.json`, `${out}/namewright-${versionOf()}.cdx.json`)
      if (process.argv.includes('--no-archive')) return
      const archive = `${out}/namewright-${versionOf()}.tar`
      rmSync(archive, { force: true })
      buildah('push', '--quiet', `localhost/namewright:${versionOf()}`, `docker-archive:${archive}`)
      console.log(
        `deploy/out/namewright-${versionOf()}.tar, ${Math.round(statSync(archive).size / 2 ** 20)} MB, ${seconds()}`,
      )
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
