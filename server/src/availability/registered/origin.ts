/**
 * Where a node's index comes from: a directory that the builder writes (a shared volume), or an address under which
 * the same files are served: a plain web server, or a bucket that answers GET. Requests are not signed; a private
 * bucket needs a header, such as a bearer token, or a signed address.
 *
 * Files are always copied into the node's own cache before they are mapped. What is mapped must not change under the
 * reader, and nobody can promise that of a shared volume.
 */
import { constants } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { download, fetchText } from './http.ts'
import type { HttpRequest } from './http.ts'
import { MANIFEST } from './manifest.ts'

export type OriginOptions =
  | { readonly directory: string }
  | {
      readonly manifestUrl: string
      readonly headers?: Readonly<Record<string, string>>
      readonly request: HttpRequest
    }

export interface Origin {
  /** Undefined when it has not changed since the last call. */
  readManifest(signal: AbortSignal): Promise<string | undefined>
  /** The next `readManifest` answers even what has not changed. */
  forget(): void
  copy(name: string, toPath: string, bytes: number, signal: AbortSignal): Promise<void>
}

export function openOrigin(options: OriginOptions): Origin {
  return 'directory' in options ? fromDirectory(options.directory) : fromAddress(options)
}

function fromDirectory(directory: string): Origin {
  let last: string | undefined
  return {
    async readManifest() {
      const text = await readFile(join(directory, MANIFEST), 'utf8')
      return text === last ? undefined : (last = text)
    },
    forget() {
      last = undefined
    },
    // A file system that can share blocks between files does; any other copies.
    copy: (name, toPath) => copyFile(join(directory, name), toPath, constants.COPYFILE_FICLONE),
  }
}

function fromAddress({ manifestUrl, headers = {}, request }: Exclude<OriginOptions, { directory: string }>): Origin {
  let etag: string | undefined
  return {
    async readManifest(signal) {
      const ask = { ...headers, ...(etag === undefined ? {} : { 'if-none-match': etag }) }
      const answer = await fetchText(request, 'GET', { url: manifestUrl, headers: ask, signal })
      if (answer.statusCode === 304) return undefined
      if (answer.statusCode !== 200) throw new Error(`the manifest was answered with ${answer.statusCode}`)
      etag = answer.headers.etag
      return answer.text
    },
    forget() {
      etag = undefined
    },
    async copy(name, toPath, bytes, signal) {
      const url = new URL(name, manifestUrl)
      // What opens a private bucket may stand in the address itself.
      url.search = new URL(manifestUrl).search
      const answer = await download(request, { url: url.href, headers, toPath, maxBytes: bytes, signal })
      if (answer.statusCode !== 200) throw new Error(`${name} was answered with ${answer.statusCode}`)
    },
  }
}
