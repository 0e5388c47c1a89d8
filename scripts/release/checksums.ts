/** checksums.txt: the SHA-256 of every file of a release, in the form that `sha256sum -c` reads. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

export const CHECKSUMS = 'checksums.txt'

export interface Sum {
  readonly name: string
  /** 64 hexadecimal digits. */
  readonly sha256: string
}

export function formatChecksums(sums: readonly Sum[]): string {
  const names = sums.map(({ name }) => name)
  // The files of a release lie in one folder when somebody downloads them.
  const odd = names.find((name) => !/^[\w.+-]+$/.test(name) || name === CHECKSUMS)
  if (odd !== undefined) throw new Error(`${odd} cannot be a file of a release`)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`${twice} is there twice`)
  const inOrder = sums.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return inOrder.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('')
}

/** What `there` has that checksums.txt does not say, and the other way round. */
export function findMismatches(text: string, there: readonly Sum[]): string[] {
  const lines = text.split('\n').filter((line) => line !== '')
  const listed = new Map<string, string>()
  const problems: string[] = []
  for (const line of lines) {
    const [, sha256 = '', name = ''] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? []
    if (name === '') problems.push(`not a checksum: ${line}`)
    else listed.set(name, sha256)
  }
  for (const { name, sha256 } of there) {
    if (!listed.has(name)) problems.push(`${name} is not listed`)
    else if (listed.get(name) !== sha256) problems.push(`${name} has another checksum`)
    listed.delete(name)
  }
  return [...problems, ...[...listed.keys()].map((name) => `${name} is missing`)]
}

export async function sumFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
