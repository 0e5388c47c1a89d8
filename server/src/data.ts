/** The facts that are shipped with the service: the one place that says where they are. */
import { readFileSync } from 'node:fs'

const FOLDER = new URL('../data/', import.meta.url)

/** For small files that are read once: at the start, as the modules beside them, or on first use. */
export function readData(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8')
}
