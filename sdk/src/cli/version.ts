import { readFileSync } from 'node:fs'

/** Of the package; it lies two folders up, in the source as in the build. */
export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return manifest.version
}
