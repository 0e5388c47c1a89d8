/**
 * The origin of a node's index: a directory that the builder writes (a shared volume), or a URL under which the same
 * files are served by a web server or a bucket that supports GET. Requests are not signed; a private bucket needs a
 * header, such as a bearer token, or a signed URL.
 *
 * Files are always copied into the node's own cache before they are mapped. A mapped file must not change, and a
 * shared volume cannot guarantee that.
 */
import { constants } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { download, fetchText, type HttpRequest } from './http.ts'
import { MANIFEST } from './manifest.ts'

export type OriginOptions =
  | { readonly directory: string }
  | {
      readonly manifestUrl: string
      readonly headers?: Readonly<Record<string, string>>
      readonly request: HttpRequest
    }

export interface IndexOrigin {
  /** Undefined if it has not changed since the last call. */
  readManifest(signal: AbortSignal): Promise<string | undefined>
  /** The next `readManifest` returns the manifest even if it has not changed. */
  forget(): void
  copy(name: string, toPath: string, bytes: number, signal: AbortSignal): Promise<void>
}

export function openOrigin(options: OriginOptions): IndexOrigin {
  return 'directory' in options ? fromDirectory(options.directory) : fromAddress(options)
}

function fromDirectory(directory: string): IndexOrigin {
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

function fromAddress({
  manifestUrl,
  headers = {},
  request,
}: Exclude<OriginOptions, { directory: string }>): IndexOrigin {
  let etag: string | undefined
  return {
    async readManifest(signal) {
      const ask = { ...headers, ...(etag === undefined ? {} : { 'if-none-match': etag }) }
      const answer = await fetchText(request, 'GET', { url: manifestUrl, headers: ask, signal })
      if (answer.statusCode === 304) return undefined
      if (answer.statusCode !== 200) throw new Error(`the manifest was returned with status ${answer.statusCode}`)
      etag = answer.headers.etag
      return answer.text
    },
    forget() {
      etag = undefined
    },
    async copy(name, toPath, bytes, signal) {
      const url = new URL(name, manifestUrl)
      // The credential for a private bucket may be part of the URL itself.
      url.search = new URL(manifestUrl).search
      const answer = await download(request, { url: url.href, headers, toPath, maxBytes: bytes, signal })
      if (answer.statusCode !== 200) throw new Error(`${name} was returned with status ${answer.statusCode}`)
    },
  }
}
