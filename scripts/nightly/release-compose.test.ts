/** compose.yaml of a release: the digest is in it once, and it has every file that it mounts. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { IMAGE, packCompose, pinImage } from '../release/compose.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const DIGEST = `sha256:${'ab'.repeat(32)}`
const { version } = JSON.parse(readFileSync(`${ROOT}/server/package.json`, 'utf8')) as { version: string }
const text = readFileSync(`${ROOT}/compose.yaml`, 'utf8')

test('the image is named by version and digest, and nothing else changes', () => {
  const pinned = pinImage(text, version, DIGEST)
  expect(pinned).toContain(`\${IMAGE:-${IMAGE}:${version}@${DIGEST}}`)
  expect(pinned.replace(`@${DIGEST}`, '')).toBe(text)
})

test('another version, another image or something that is no digest stops the release', () => {
  expect(() => pinImage(text, '9.9.9', DIGEST)).toThrow('has 0 images')
  expect(() => pinImage(`${text}\n${text}`, version, DIGEST)).toThrow('has 2 images')
  expect(() => pinImage(text, version, 'sha256:ab')).toThrow('is no digest')
})

test('what it mounts and the example of its settings are packed with it', () => {
  const archive = packCompose(ROOT, version, DIGEST, 1_790_000_000)
  const listed = execFileSync('tar', ['-tzf', '-'], { input: archive, encoding: 'utf8' }).trim().split('\n')
  const { services } = parse(text, { merge: true }) as { services: Record<string, { volumes?: string[] }> }
  const mounted = Object.values(services)
    .flatMap(({ volumes = [] }) => volumes)
    .filter((line) => line.startsWith('./'))
    .map((line) => line.slice(2).split(':')[0] ?? '')
  const wanted = ['compose.yaml', 'deploy/compose/example.env', ...mounted].map(
    (path) => `namewright-${version}/${path}`,
  )
  expect(listed.toSorted()).toEqual(wanted.toSorted())
})
