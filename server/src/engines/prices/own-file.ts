/**
 * A file of the operator that may change while the node runs.
 *
 * At start a wrong or missing file is an error: the operator must not sell at unintended prices. Later it is
 * reported, once per change, and the previous content stays in use.
 */
import { readFile } from 'node:fs/promises'
import { DataError } from './fields.ts'

export interface OwnFile<T> {
  current(): T
  /** Reads it again; returns whether new content is in use. */
  reload(): Promise<boolean>
}

export async function openOwnFile<T>(options: {
  readonly file: string | undefined
  readonly none: T
  /** Throws a DataError. */
  readonly parse: (file: string, text: string) => T
  readonly onRefused: (problem: string) => void
}): Promise<OwnFile<T>> {
  const { file, none, parse, onRefused } = options
  if (file === undefined) return { current: () => none, reload: async () => false }
  let seen = await read(file)
  if (seen === undefined) throw new DataError(`${file}: cannot be read`)
  let current = parse(file, seen)
  return {
    current: () => current,
    async reload() {
      const text = await read(file)
      if (text === seen) return false
      seen = text
      try {
        if (text === undefined) throw new DataError(`${file}: cannot be read`)
        current = parse(file, text)
        return true
      } catch (error) {
        onRefused(error instanceof Error ? error.message : String(error))
        return false
      }
    },
  }
}

async function read(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined)
}
