/**
 * compose.yaml as a release has it: with the digest of the image, which the file in the repository cannot know, and beside
 * it the two files that it mounts and the example of its settings.
 */
import { readFileSync } from 'node:fs'
import { makeTarGz } from './tar.ts'

export const IMAGE = 'ghcr.io/namewright/namewright'
const BESIDE = ['deploy/compose/Caddyfile', 'deploy/compose/make-roles.sh', 'deploy/compose/example.env']

export function pinImage(compose: string, version: string, digest: string): string {
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${digest} is no digest`)
  const name = `${IMAGE}:${version}`
  const parts = compose.split(`\${IMAGE:-${name}}`)
  if (parts.length !== 2) throw new Error(`compose.yaml has ${parts.length - 1} images \${IMAGE:-${name}}, not one`)
  return parts.join(`\${IMAGE:-${name}@${digest}}`)
}

export function packCompose(root: string, version: string, digest: string, seconds: number): Buffer {
  const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8')
  const files = [
    { path: 'compose.yaml', data: pinImage(read('compose.yaml'), version, digest) },
    ...BESIDE.map((path) => ({ path, data: read(path) })),
  ]
  return makeTarGz(
    files.map((file) => ({ ...file, path: `namewright-${version}/${file.path}` })),
    seconds,
  )
}
