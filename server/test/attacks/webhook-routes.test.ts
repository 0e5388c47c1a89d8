/** The operator's routes lead to servers of the operator's; a tenant's webhook must not be able to choose one. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { makeCertificate } from '../certificate.ts'
import { startApp } from '../start-app.ts'

const GATEWAY = 'api.registrar.example'

test('a webhook to a host with a route does not reach the server behind the route', async () => {
  await using certificate = await makeCertificate([GATEWAY])
  const [cert, key] = await Promise.all([
    readFile(certificate.env.NAMEWRIGHT_TLS_CERT_FILE),
    readFile(certificate.env.NAMEWRIGHT_TLS_KEY_FILE),
  ])
  const received: (string | undefined)[] = []
  const gateway = createServer({ cert, key }, (request, response) => {
    received.push(request.url)
    response.writeHead(200).end('inside')
  }).listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  const { port } = gateway.address() as AddressInfo
  try {
    await using world = await startApp({
      own: true,
      settings: {
        NAMEWRIGHT_OUTBOUND_ROUTES: `${GATEWAY}=127.0.0.1:${port}`,
        NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
      },
    })
    const node = await world.startNode()
    const { secret } = await world.makeKey(await world.makeAccount())
    const body = { url: `https://${GATEWAY}/orders`, events: ['quota.warning'] }
    const made = await node.call('/v1/webhooks', { key: secret, body })
    const tried = await node.call(`/v1/webhooks/${made.json.data.webhook.id}/test`, { key: secret, method: 'POST' })
    expect(received).toEqual([])
    expect(tried.json.data.delivery).toMatchObject({ state: 'failed', last_error: 'refused', last_answer: null })
  } finally {
    gateway.closeAllConnections()
    gateway.close()
  }
})
