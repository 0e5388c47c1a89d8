/**
 * `node write-zones.ts <directory> <stamp> [small|large]`: what `scripts/services` runs before it starts NSD.
 *
 * Every zone is written twice: `<zone>.zone` for NSD, and for the registries also `czds/<suffix>.txt.gz`, as ICANN
 * would hand it out. Both go to disk as streams.
 */
import { createReadStream, createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { createInternet, REGISTRIES } from './zones.ts'

// One write per line would be a million of them.
const LINES_PER_WRITE = 2000

const [directory, stamp, size = 'small'] = process.argv.slice(2)
if (directory === undefined || stamp === undefined || (size !== 'small' && size !== 'large')) {
  throw new Error('usage: write-zones.ts <directory> <stamp> [small|large]')
}

const internet = createInternet(readFileSync(join(import.meta.dirname, 'taken-words.txt'), 'utf8'), size)
mkdirSync(join(directory, 'czds'), { recursive: true })
for (const zone of internet.zones()) {
  const file = join(directory, `${zone}.zone`)
  await pipeline(Readable.from(inBlocks(internet.zoneLines(zone, stamp))), createWriteStream(file))
  if (!Object.hasOwn(REGISTRIES, zone)) continue
  // Level 1: a test waits for it, and nobody pays for the bytes.
  const packed = createWriteStream(join(directory, 'czds', `${zone}.txt.gz`))
  await pipeline(createReadStream(file), createGzip({ level: 1 }), packed)
}

function* inBlocks(lines: Iterable<string>): Generator<string> {
  let block: string[] = []
  for (const line of lines) {
    if (block.push(line) < LINES_PER_WRITE) continue
    yield `${block.join('\n')}\n`
    block = []
  }
  if (block.length > 0) yield `${block.join('\n')}\n`
}
