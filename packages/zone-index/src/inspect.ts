/** Looks at an index without using it: what its manifest promises, and whether its files pass the test of a node. */
import { join } from 'node:path'
import { parseManifest, type Manifest, type Suffix } from './manifest.ts'
import { findOpenBytes } from './mapped.ts'
import { openOrigin, type OriginOptions } from './origin.ts'
import { openSuffixFiles } from './suffix-files.ts'
import { findFault, type KnownName } from './trust.ts'

export async function readManifest(from: OriginOptions, signal: AbortSignal): Promise<Manifest> {
  return parseManifest((await openOrigin(from).readManifest(signal)) ?? '')
}

/** Tests the files in `directory`, one suffix after the other. Throws BadIndexFile for a file that cannot be opened. */
export async function* findFaults(
  directory: string,
  manifest: Manifest,
  knownName: KnownName,
): AsyncGenerator<{ readonly suffix: Suffix; readonly fault: string }> {
  for (const [suffix, index] of manifest) {
    const files = await openSuffixFiles(suffix, index, async (name) => join(directory, name), await findOpenBytes())
    const fault = findFault(suffix, files, knownName)
    files.close()
    if (fault !== undefined) yield { suffix, fault }
  }
}
