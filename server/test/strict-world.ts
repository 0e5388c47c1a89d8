/**
 * A world in strict mode whose only registrar the test holds in hand: nothing is available without its word, and what it
 * says of a name, and how soon, can be changed between two requests. DNS is the loopback internet's own.
 */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { makeCertificate } from './certificate.ts'
import { openRegistrarServer } from './internet/registrar-server.ts'
import type { RegistrarServer } from './internet/registrar-server.ts'
import { emptyRedis } from './redis.ts'
import { startApp } from './start-app.ts'
import type { Node, World } from './world.ts'

const REGISTRAR = 'api.vercel.com'

export interface StrictWorld extends AsyncDisposable {
  readonly world: World
  readonly registrar: RegistrarServer
  /** What the registrar calls taken; not in DNS, so that nobody else knows. */
  readonly registered: Set<string>
  startNode(): Promise<Node>
  /** Until the node believes the registrar, which answers well from then on. */
  untilTrusted(node: Node, key: string): Promise<void>
  /** Forgets all that nodes share. */
  forget(): Promise<unknown>
}

export async function openStrictWorld(): Promise<StrictWorld> {
  const closing = new AsyncDisposableStack()
  const certificate = closing.use(await makeCertificate([REGISTRAR]))
  const stranger = closing.use(await makeCertificate())
  const registered = new Set<string>()
  const facts = { registered, premium: new Map(), reserved: new Set<string>(), unsold: new Set<string>() }
  const registrar = closing.use(await openRegistrarServer({ world: facts, certificate, stranger }))
  const redis = await emptyRedis()
  const world = closing.use(
    await startApp({
      own: true,
      settings: {
        ...redis,
        NAMEWRIGHT_AVAILABILITY_MODE: 'strict',
        NAMEWRIGHT_REGISTRARS: 'vercel',
        NAMEWRIGHT_OUTBOUND_ROUTES: `${REGISTRAR}=127.0.0.1:${new URL(registrar.url).port}`,
        NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
      },
    }),
  )
  return {
    world,
    registrar,
    registered,
    startNode: () => world.startNode(),
    async untilTrusted(node, key) {
      registrar.be('well')
      await expect
        .poll(async () => {
          const body = { domains: [`free-for-sure-${randomUUID()}.com`] }
          return (await node.call('/v1/domains/check', { key, body })).json.data?.domains[0].available
        })
        .toBe(true)
    },
    forget: () => emptyRedis(),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
