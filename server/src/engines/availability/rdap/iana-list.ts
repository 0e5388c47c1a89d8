/** Parses IANA's bootstrap file defensively: an invalid entry is left out, an invalid file is undefined. */
import { isSuffix } from '../../../model/domain.ts'
import { findJson, isRecord } from '../../../platform/outbound/shallow-json.ts'

// RFC 9224 §3: an object of arrays of arrays of strings.
const MAX_DEPTH = 8

/** Suffix → base, ending with a slash. Entries without https are left out. */
export function readIanaList(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  const file = findJson(bytes, MAX_DEPTH)
  if (!isRecord(file) || file.version !== '1.0' || !Array.isArray(file.services)) return undefined
  const bases = new Map<string, string>()
  for (const service of file.services as unknown[]) {
    if (!Array.isArray(service)) return undefined
    const [suffixes, urls] = service as unknown[]
    if (!Array.isArray(suffixes) || !Array.isArray(urls)) return undefined
    const base = urls.map(findBase).find((url) => url !== undefined)
    if (base === undefined) continue
    for (const text of suffixes as unknown[]) {
      const suffix = String(text).toLowerCase()
      if (isSuffix(suffix)) bases.set(suffix, base)
    }
  }
  return bases
}

function findBase(text: unknown): string | undefined {
  const url = typeof text === 'string' ? URL.parse(text) : null
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined
  if (url.search !== '' || url.hash !== '') return undefined
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}
