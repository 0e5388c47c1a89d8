/**
 * The Helm chart as a release has it: `namewright-VERSION.tgz`, as `helm package` would make it, and the same file as an OCI
 * artifact, as `helm push` would store it in a registry. Neither needs Helm, and the same chart gives the same bytes.
 *
 *   index.json → manifest → config   the chart's metadata, as JSON
 *                        → layer    the .tgz
 */
import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { makeTar, makeTarGz } from './tar.ts'
import type { Entry } from './tar.ts'

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const CONFIG = 'application/vnd.cncf.helm.config.v1+json'
const CONTENT = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip'

export interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
  readonly annotations?: Readonly<Record<string, string>>
}

export interface Manifest {
  readonly schemaVersion: 2
  readonly mediaType: string
  readonly config: Descriptor
  readonly layers: readonly Descriptor[]
  readonly annotations: Readonly<Record<string, string>>
}

export interface ChartMetadata {
  readonly apiVersion: string
  readonly name: string
  readonly version: string
  readonly description: string
}

/** `folder` is that of Chart.yaml; `seconds` is the time of every file. */
export function packChart(folder: string, seconds: number): Buffer {
  const { name } = readMetadata(folder)
  // Chart.yaml first: whoever only wants to know what it is does not read on.
  const files = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length + 1))
    .toSorted((a, b) => Number(b === 'Chart.yaml') - Number(a === 'Chart.yaml') || (a < b ? -1 : 1))
  return makeTarGz(
    files.map((path) => ({ path: `${name}/${path}`, data: readFileSync(`${folder}/${path}`) })),
    seconds,
  )
}

export function readMetadata(folder: string): ChartMetadata {
  return parse(readFileSync(`${folder}/Chart.yaml`, 'utf8')) as ChartMetadata
}

export interface ChartArtifact {
  /** Of the manifest: what a registry knows it by. */
  readonly digest: string
  /** An OCI image layout, for `oci-archive:`. */
  readonly archive: Buffer
}

export function makeChartArtifact(metadata: ChartMetadata, tgz: Buffer, seconds: number): ChartArtifact {
  const blobs: Entry[] = []
  const store = (mediaType: string, data: Buffer): Descriptor => {
    const digest = hash('sha256', data)
    blobs.push({ path: `blobs/sha256/${digest}`, data })
    return { mediaType, digest: `sha256:${digest}`, size: data.length }
  }
  const { name, version, description } = metadata
  const manifest: Manifest = {
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: store(CONFIG, Buffer.from(JSON.stringify(metadata))),
    layers: [store(CONTENT, tgz)],
    annotations: {
      'org.opencontainers.image.title': name,
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.description': description,
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.source': 'https://github.com/namewright/namewright',
    },
  }
  const stored = store(MANIFEST, Buffer.from(JSON.stringify(manifest)))
  // A tag cannot have the plus of a version.
  const annotations = { 'org.opencontainers.image.ref.name': version.replaceAll('+', '_') }
  const index = { schemaVersion: 2, manifests: [{ ...stored, annotations }] }
  const archive = makeTar(
    [
      { path: 'oci-layout', data: '{"imageLayoutVersion":"1.0.0"}' },
      { path: 'index.json', data: JSON.stringify(index) },
      ...blobs,
    ],
    seconds,
  )
  return { digest: stored.digest, archive }
}

/** What is wrong with an OCI layout of a chart, given its files by path. */
export function findChartProblems(files: ReadonlyMap<string, Buffer>): string[] {
  const problems: string[] = []
  const json = (data: Buffer | undefined) => JSON.parse(data?.toString() ?? '{}') as unknown
  const follow = (what: string, wanted: string, one: Descriptor | undefined): Buffer | undefined => {
    if (one?.mediaType !== wanted) problems.push(`${what} is ${one?.mediaType ?? 'missing'} instead of ${wanted}`)
    if (one === undefined) return undefined
    const data = files.get(`blobs/${one.digest.replace(':', '/')}`)
    if (data === undefined) problems.push(`${what} has no blob`)
    else if (`sha256:${hash('sha256', data)}` !== one.digest) problems.push(`${what} has another digest`)
    else if (data.length !== one.size) problems.push(`${what} has another size`)
    return data
  }
  const { imageLayoutVersion } = json(files.get('oci-layout')) as { imageLayoutVersion?: string }
  if (imageLayoutVersion !== '1.0.0') problems.push('oci-layout is not 1.0.0')
  const { manifests: [entry] = [] } = json(files.get('index.json')) as { manifests?: Descriptor[] }
  const manifest = json(follow('the manifest', MANIFEST, entry)) as Partial<Manifest>
  const metadata = json(follow('the config', CONFIG, manifest.config)) as Partial<ChartMetadata>
  follow('the chart', CONTENT, manifest.layers?.[0])
  if (manifest.layers?.length !== 1) problems.push('there is not one layer')
  const tag = entry?.annotations?.['org.opencontainers.image.ref.name']
  if (tag !== metadata.version?.replaceAll('+', '_')) problems.push(`the tag is ${tag}, the chart ${metadata.version}`)
  return problems
}
