/**
 * A node, and two accounts that have something of everything. Mine sends all requests; nothing of theirs may ever be in
 * an answer, so all of theirs carries a word that stands nowhere else.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openReceiver } from '../../jobs/receiver.ts'
import { openWorld } from '../../world.ts'
import type { Node, World } from '../../world.ts'
import type { Schema } from './from-schema.ts'
import type { Holding } from './probe.ts'
import type { Operation } from './shots.ts'

const PROBE = new URL('probe.ts', import.meta.url).pathname
const KINDS = ['history', 'favorites', 'batches', 'webhooks'] as const
// What a list is filled up to before it is shot at again.
const FULL = 4
// An account may have twenty webhooks; it is left room to make some.
const MAX_WEBHOOKS = 8

interface Tenant {
  readonly key: string
  readonly word: string
  /** Ids of each kind, of which some may be gone. */
  readonly ids: Map<string, string[]>
  readonly cursors: Map<string, string>
}

export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenapiOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly pathItems: Readonly<Record<string, Readonly<Record<string, OpenapiOperation>>>>
  }
}
interface OpenapiOperation {
  readonly parameters?: Operation['parameters']
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
  readonly 'x-stream'?: { readonly $ref: string }
}

export interface Tool {
  readonly name: string
  readonly inputSchema: Schema
  readonly outputSchema: Schema
}

export interface FuzzWorld extends AsyncDisposable {
  readonly node: Node
  readonly port: number
  readonly document: OpenapiDocument
  readonly tools: readonly Tool[]
  /** Puts ids, keys and cursors where a shot has marks. */
  readonly fill: (text: string) => string
  /** Makes again what shots have deleted. */
  restock(): Promise<void>
  /** Everything of the other account, as it is now. */
  theirs(): Promise<{ readonly word: string; readonly ids: ReadonlySet<string>; readonly state: string }>
  hold(): Promise<Holding>
}

export async function openFuzzWorld(): Promise<FuzzWorld> {
  await using opening = new AsyncDisposableStack()
  const receiver = opening.use(await openReceiver())
  const world = opening.use(await openWorld({ NAMEWRIGHT_WEBHOOK_ALLOW: receiver.place }))
  const node = await world.startNode({ NODE_OPTIONS: `--import ${PROBE}` })
  const [mine, theirs] = [
    await makeTenant(world, 'mine'),
    await makeTenant(world, `needle${randomBytes(6).toString('hex')}`),
  ]
  const account = await world.makeAccount()
  const { secret: narrow } = await world.makeKey(account, { scopes: ['history:read'], allowedIps: ['127.0.0.1'] })
  const { secret: page } = await world.makeKey(account, {
    scopes: ['generate', 'domains:check'],
    allowedOrigins: ['https://shop.example'],
  })
  for (const tenant of [mine, theirs]) await stock(node, tenant, receiver.url)
  await workOff(world, node, [mine, theirs])
  const { json: document } = await node.call('/openapi.json')
  const tools = await toolsOf(node, mine.key)
  const open = opening.move()

  return {
    node,
    port: Number(new URL(node.url).port),
    document: document as OpenapiDocument,
    tools,
    fill: (text) =>
      text.replaceAll(/@@([\w.]+)@@/g, (_all, name: string) => {
        const [whose = '', kind = '', n = '0'] = name.split('.')
        if (whose === 'receiver') return receiver.url
        if (whose === 'key') return { narrow, page }[kind] ?? mine.key
        if (whose === 'cursor') return (kind === 'theirs' ? theirs : mine).cursors.get(n) ?? 'none'
        const ids = (whose === 'theirs' ? theirs : mine).ids.get(kind) ?? []
        return ids[Number(n) % ids.length] ?? 'none'
      }),
    restock: () => stock(node, mine, receiver.url),
    async theirs() {
      const lists = await Promise.all(KINDS.map((kind) => node.call(`/v1/${kind}`, { key: theirs.key })))
      return {
        word: theirs.word,
        ids: new Set([...theirs.ids.values()].flat()),
        state: lists.map(({ text }) => text).join('\n'),
      }
    },
    async hold() {
      const before = holdingsIn(node).length
      node.process.kill('SIGUSR2')
      for (;;) {
        const found = holdingsIn(node)[before]
        if (found) return found
        if (node.process.exitCode !== null) throw new Error('the node has ended')
        await sleep(20)
      }
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** What the node itself took for its own mistake. */
export function errorsOf(node: Node): string[] {
  return node
    .output()
    .split('\n')
    .filter((line) => /"level":(?:50|60)/.test(line))
}

function holdingsIn(node: Node): Holding[] {
  return Array.from(node.output().matchAll(/^\{"holding":(.*)\}$/gm), ([, text = '']) => JSON.parse(text) as Holding)
}

async function makeTenant(world: World, word: string): Promise<Tenant> {
  const account = await world.makeAccount({ name: word })
  const { id, secret } = await world.makeKey(account)
  return {
    key: secret,
    word,
    ids: new Map([
      ['keys', [id]],
      ['accounts', [account]],
    ]),
    cursors: new Map(),
  }
}

/** Fills every list up, and remembers the ids that there are. */
async function stock(node: Node, { key, word, ids, cursors }: Tenant, receiver: string): Promise<void> {
  const call = async (path: string, body?: unknown, method?: string) => {
    const send = () =>
      node.call(path, {
        key,
        ...(body === undefined ? {} : { body }),
        ...(method === undefined ? {} : { method }),
      })
    let answer = await send()
    // A busy machine may make the database look unreachable for a moment, and the answer says when to try again.
    for (let tries = 1; answer.status === 503 && tries < 5; tries++) {
      await sleep(Number(answer.headers.get('retry-after')) * 1000)
      answer = await send()
    }
    // Whoever shoots meanwhile may have deleted it, or used up the test deliveries of the hour.
    if (answer.status === 404 || (answer.status === 429 && path.endsWith('/test'))) return {}
    if (answer.status >= 400) throw new Error(`${path}: ${answer.text}\n${errorsOf(node).join('\n')}`)
    return answer.json.data
  }
  const add: Record<(typeof KINDS)[number], (n: number) => Promise<unknown>> = {
    history: (n) => call('/v1/generate', { description: `a garden shop, ${word} ${n}`, count: 2 }),
    favorites: (n) => call('/v1/favorites', { domain: `${word}-${Date.now()}-${n}.com`, note: word, tags: [word] }),
    batches: () => call('/v1/batches', { requests: [{ description: `a bakery, ${word}`, count: 1 }, { count: word }] }),
    webhooks: () =>
      call('/v1/webhooks', { url: `${receiver}/${word}`, events: ['batch.completed'], description: word }),
  }
  for (const kind of KINDS) {
    const list = async () => ((await call(`/v1/${kind}`))[kind] as { id: string }[]).map(({ id }) => id)
    const there = await list()
    for (let n = there.length; n < FULL; n++) await add[kind](n)
    if (kind === 'webhooks')
      for (const id of there.slice(MAX_WEBHOOKS)) await call(`/v1/webhooks/${id}`, undefined, 'DELETE')
    // What has been worked off long ago is the oldest, and stays in reach.
    const now = await list()
    const oldest = kind === 'webhooks' ? undefined : ids.get(kind)?.at(-1)
    ids.set(kind, [...now.slice(0, FULL - 1), oldest ?? now.at(-1) ?? ''])
    const { next_cursor: next } = await call(`/v1/${kind}${kind === 'webhooks' ? '' : '?limit=1'}`)
    if (typeof next === 'string') cursors.set(kind, next)
  }
  const [webhook] = ids.get('webhooks') ?? []
  await call(`/v1/webhooks/${webhook}`, { enabled: true, url: `${receiver}/${word}` }, 'PATCH')
  const list = async () => {
    const { deliveries = [], next_cursor: next } = await call(`/v1/webhooks/${webhook}/deliveries?limit=1`)
    return { ids: (deliveries as { id: string }[]).map(({ id }) => id), next }
  }
  let delivered = await list()
  // An account has few test deliveries an hour, and the shots want some, too.
  if (typeof delivered.next !== 'string') {
    for (let n = 0; n < 2; n++) await call(`/v1/webhooks/${webhook}/test`, undefined, 'POST')
    delivered = await list()
  }
  if (delivered.ids.length === 0) return
  ids.set('deliveries', delivered.ids)
  // Of all webhooks the one that has these deliveries.
  ids.set('senders', [webhook ?? ''])
  cursors.set('deliveries', String(delivered.next))
}

/** So that there is a batch of each that has results. */
async function workOff(world: World, node: Node, tenants: readonly Tenant[]): Promise<void> {
  const worker = await world.startWorker()
  for (const { key, ids } of tenants) {
    const id = ids.get('batches')?.at(-1)
    for (;;) {
      const { json } = await node.call(`/v1/batches/${id}`, { key })
      if (json.data.batch.state === 'completed') break
      await sleep(50)
    }
  }
  await worker.stop()
}

async function toolsOf(node: Node, key: string): Promise<Tool[]> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const headers = { accept: 'application/json, text/event-stream' }
  const { json } = await node.call('/mcp', { key, body, headers })
  return json.result.tools as Tool[]
}
