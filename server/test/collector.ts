/** A collector for tests: takes OTLP over HTTP with JSON on loopback, and keeps the spans by trace. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Collected {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status: { readonly code?: number }
}

export interface Collector extends AsyncDisposable {
  readonly url: string
  readonly spans: Collected[]
  /** Everything that was sent, as it was sent. */
  readonly texts: string[]
  /** From now on with this status. */
  answer(status: number): void
}

interface WireSpan extends Omit<Collected, 'attributes' | 'links'> {
  readonly attributes: readonly { key: string; value: Record<string, string | number | boolean> }[]
  readonly links?: Collected['links']
}

interface Wire {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[] }[]
}

export async function startCollector(): Promise<Collector> {
  const spans: Collected[] = []
  const texts: string[] = []
  let status = 200
  async function take(request: IncomingMessage): Promise<void> {
    const body = await text(request)
    if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/json') status = 404
    texts.push(body)
    if (status === 200) spans.push(...spansOf(JSON.parse(body) as Wire))
  }

  const server = createServer((request, response) => {
    void take(request).finally(() => response.writeHead(status, { 'content-type': 'application/json' }).end('{}'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    texts,
    answer(next) {
      status = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function spansOf({ resourceSpans }: Wire): Collected[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans)
    .map(({ attributes, links = [], ...span }) => ({
      ...span,
      links,
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? ''])),
    }))
}
