import { readFileSync } from 'node:fs'

/** The version of the package, whose manifest is one folder up in the source and in the build. */
export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return manifest.version
}
