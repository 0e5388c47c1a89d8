/**
 * One image for several architectures, in the form that `skopeo copy --all dir:` reads: a manifest list, the manifest of each
 * architecture under its digest, and the blobs of all.
 *
 * The digests are known before anything is pushed, because the manifests and the compressed layers lie here already; a
 * push with `--preserve-digests` keeps them. Docker's form and not OCI's, because OCI has no health checks.
 */
import { hash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

const LIST = 'application/vnd.docker.distribution.manifest.list.v2+json'
const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json'

interface ListedManifest {
  readonly mediaType: string
  readonly size: number
  readonly digest: string
  readonly platform: { readonly architecture: string; readonly os: string }
}

export interface ManifestList {
  readonly schemaVersion: 2
  readonly mediaType: string
  readonly manifests: readonly ListedManifest[]
}

/** A folder that `buildah push … dir:` has made becomes a list of one, in place. */
export function listImage(folder: string): void {
  const manifest = readFileSync(`${folder}/manifest.json`)
  const { mediaType, config } = JSON.parse(manifest.toString()) as { mediaType: string; config: { digest: string } }
  if (mediaType !== MANIFEST) throw new Error(`the manifest is ${mediaType} instead of ${MANIFEST}`)
  const { architecture, os } = JSON.parse(
    readFileSync(`${folder}/${config.digest.replace('sha256:', '')}`, 'utf8'),
  ) as {
    architecture: string
    os: string
  }
  const digest = hash('sha256', manifest)
  writeFileSync(`${folder}/${digest}.manifest.json`, manifest)
  const one = {
    mediaType,
    size: manifest.length,
    digest: `sha256:${digest}`,
    platform: { architecture, os },
  }
  writeList(folder, [one])
}

/** Several lists become one; returns its digest. */
export function joinImages(folders: readonly string[], to: string): string {
  mkdirSync(to, { recursive: true })
  const manifests = folders.flatMap((folder) => readList(folder).manifests)
  const platforms = manifests.map(({ platform }) => `${platform.os}/${platform.architecture}`)
  const twice = platforms.find((name, index) => platforms.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`${twice} is there twice`)
  for (const folder of folders) {
    for (const name of readdirSync(folder)) {
      if (name !== 'manifest.json' && folder !== to) copyFileSync(`${folder}/${name}`, `${to}/${name}`)
    }
  }
  writeList(
    to,
    manifests.toSorted((a, b) => (a.platform.architecture < b.platform.architecture ? -1 : 1)),
  )
  return digestOf(to)
}

export function readList(folder: string): ManifestList {
  const list = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8')) as ManifestList
  if (list.mediaType !== LIST) throw new Error(`${folder} has no manifest list`)
  return list
}

export function digestOf(folder: string): string {
  return `sha256:${hash('sha256', readFileSync(`${folder}/manifest.json`))}`
}

function writeList(folder: string, manifests: readonly ListedManifest[]): void {
  const list: ManifestList = { schemaVersion: 2, mediaType: LIST, manifests }
  writeFileSync(`${folder}/manifest.json`, JSON.stringify(list))
}
