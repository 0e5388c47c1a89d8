/**
 * The package registries and code hosts of the loopback internet: one HTTPS server that answers for every host as the
 * real ones do, about facts that a test states, and can be made to do so badly. It counts what arrives.
 *
 * As in reality each host hides some of the names that it refuses: they are in no fact here, and look like any other name
 * without an entry.
 */
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NAMESPACES } from '../source.ts'
import type { Certificate } from '../certificate.ts'
import { readPair } from './registrar-server.ts'

export const NAMESPACE_HOSTS: readonly string[] = [...new Set(NAMESPACES.map(({ host }) => host))]

export const NAMESPACE_FAULTS = [
  'slow',
  'silent',
  '403',
  '429',
  '500',
  '503',
  'redirect',
  'html',
  'empty',
  'cut off',
  'closed',
  'another name',
  'changed format',
  'bare 404',
  'html 404',
] as const
export type NamespaceFault = (typeof NAMESPACE_FAULTS)[number]

export interface NamespaceServer extends AsyncDisposable {
  /** For the settings of a node. */
  readonly routes: string
  readonly port: number
  /** Every request, as `host path`. */
  readonly requests: string[]
  be(fault: NamespaceFault | 'well'): void
}

const NAMESPACE_SLOW_MS = 1_500
const NAMESPACE_RETRY_AFTER_SECONDS = 7

interface Said {
  readonly status: number
  readonly type: string
  readonly body: string
}

const json = (status: number, value: unknown, type = 'application/json'): Said => ({
  status,
  type,
  body: JSON.stringify(value),
})

interface Facts {
  /** Whether the namespace shows an entry of this name. */
  has(namespace: string, name: string): boolean
}

type Answering = (path: string, facts: Facts) => Said | undefined

/** As documented; see the comment of each declaration. */
const ANSWERS: Readonly<Record<string, Answering>> = {
  'registry.npmjs.org': (path, facts) => {
    const name = path.slice(1)
    if (!facts.has('npm', name)) return json(404, { error: 'Not found' })
    // Longer than anybody reads.
    return json(200, { name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': { pad: 'x'.repeat(200_000) } } })
  },
  'pypi.org': (path, facts) => {
    const name = /^\/simple\/([^/]+)\/$/.exec(path)?.[1] ?? ''
    if (!facts.has('pypi', name))
      return { status: 404, type: 'text/html', body: '<html><head><title>404 Not Found</title></head></html>' }
    return json(200, { files: [], meta: { 'api-version': '1.4' }, name }, 'application/vnd.pypi.simple.v1+json')
  },
  'crates.io': (path, facts) => {
    const name = /^\/api\/v1\/crates\/([^?]+)/.exec(path)?.[1] ?? ''
    if (!facts.has('crates-io', name)) return json(404, { errors: [{ detail: `crate \`${name}\` does not exist` }] })
    return json(200, { crate: { id: name, name: name.replaceAll('-', '_') } })
  },
  'rubygems.org': (path, facts) => {
    const name = /^\/api\/v1\/gems\/(.+)\.json$/.exec(path)?.[1] ?? ''
    if (!facts.has('rubygems', name))
      return { status: 404, type: 'text/plain', body: 'This rubygem could not be found.' }
    return json(200, { name, downloads: 7, version: '1.0.0' })
  },
  'hub.docker.com': (path, facts) => {
    const name = /^\/v2\/namespaces\/([^/]+)\/repositories/.exec(path)?.[1] ?? ''
    if (!facts.has('docker-hub', name)) return json(404, { message: 'object not found', errinfo: {} })
    return json(200, { count: 1, next: null, previous: null, results: [{ name: 'tool', namespace: name }] })
  },
  'formulae.brew.sh': (path, facts) => {
    const [, kind = '', name = ''] = /^\/api\/(formula|cask)\/(.+)\.json$/.exec(path) ?? []
    if (!facts.has(`homebrew-${kind}`, name))
      return { status: 404, type: 'text/html', body: '<html><head><title>Page not found</title></head></html>' }
    return json(200, kind === 'formula' ? { name, aliases: [] } : { token: name, name: ['Some App'] })
  },
  'api.github.com': (path, facts) => {
    const name = path.replace('/users/', '')
    if (!facts.has('github', name)) return json(404, { message: 'Not Found', status: '404' })
    return json(200, { login: name.toUpperCase(), id: 7, type: 'Organization' })
  },
  'gitlab.com': (path, facts) => {
    const user = /^\/api\/v4\/users\?username=(.+)$/.exec(path)?.[1]
    if (user !== undefined) return json(200, facts.has('gitlab', user) ? [{ id: 7, username: user }] : [])
    const group = /^\/api\/v4\/groups\/([^?]+)/.exec(path)?.[1] ?? ''
    if (!facts.has('gitlab-group', group)) return json(404, { message: '404 Group Not Found' })
    return json(200, { id: 8, path: group, full_path: group })
  },
}

export async function openNamespaceServer(certificate: Certificate, facts: Facts): Promise<NamespaceServer> {
  const requests: string[] = []
  let fault: NamespaceFault | 'well' = 'well'

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const [host = '', path = ''] = [request.headers.host, request.url]
    requests.push(`${host} ${path}`)
    let asked = ''
    const has = (namespace: string, name: string) => facts.has(namespace, (asked = name))
    const said = ANSWERS[host]?.(path, { has }) ?? json(500, { error: 'no such host' })
    if (fault === 'well') return write(response, said)
    if (fault === 'slow') return void setTimeout(() => write(response, said), NAMESPACE_SLOW_MS)
    if (fault === 'silent') return
    if (fault === '429') response.setHeader('retry-after', NAMESPACE_RETRY_AFTER_SECONDS)
    if (/^\d+$/.test(fault)) return write(response, { ...said, status: Number(fault) })
    if (fault === 'closed') return void request.socket.destroy()
    if (fault === 'redirect') return void response.writeHead(301, { location: 'https://localhost/' }).end(said.body)
    write(response, broken(said, fault, asked))
  }

  const server = createServer(readPair(certificate), answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    port,
    requests,
    routes: NAMESPACE_HOSTS.map((host) => `${host}=127.0.0.1:${port}`).join(','),
    be: (next) => (fault = next),
    [Symbol.asyncDispose]() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function broken(said: Said, fault: NamespaceFault, name: string): Said {
  switch (fault) {
    case 'html':
      return { status: 200, type: 'text/html', body: '<html><body>Checking your browser…</body></html>' }
    case 'empty':
      return { ...said, body: '' }
    case 'cut off':
      return { ...said, body: said.body.slice(0, said.body.length / 3) }
    case 'another name':
      return { ...said, body: said.body.replaceAll(new RegExp(`fact|word|${name}`, 'gi'), 'other') }
    case 'changed format':
      return json(said.status, { version: 2, data: { found: said.status === 200 } })
    case 'bare 404':
      return { status: 404, type: 'application/json', body: '{}' }
    default:
      return { status: 404, type: 'text/html', body: '<html><body>nothing here</body></html>' }
  }
}

function write(response: ServerResponse, { status, type, body }: Said): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
}
