/** Strangers who take what a node has, from seven addresses, and what others ask of it meanwhile. */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { openShares } from '../source.ts'
import type { Node, World } from '../world.ts'
import { callFrom, OTHER } from './held-sockets.ts'

export const STRANGERS = Array.from({ length: 7 }, (_, at) => `127.0.0.${at + 11}`)

/** The largest file of the app. */
export async function findLargeFile({ url }: Node): Promise<string> {
  const home = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
  const [path] = /\/assets\/app-[\w-]+\.js/.exec(home) ?? []
  if (path === undefined) throw new Error('the app is not built')
  return path
}

/** Asks for this file so often on one connection, and reads nothing. */
export function holdUnread(node: Node, from: string, path: string, times: number): Socket {
  const socket = connect({ port: Number(new URL(node.url).port), host: '127.0.0.1', localAddress: from })
  socket.on('error', () => {})
  socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(times))
  return socket
}

export async function inFlight(node: Node, pool: string): Promise<number> {
  const found = new RegExp(`namewright_in_flight\\{[^}]*pool="${pool}"\\} (\\d+)`).exec(await node.metrics())
  return Number(found?.[1] ?? 0)
}

export interface Others {
  /** The data of their shared list. */
  readonly list: string
  /** One call of each kind, from an address of their own: what failed. */
  ask(): Promise<string[]>
}

/** Accounts, one of which is new to the node with every turn, and somebody who reads a shared list. */
export async function makeOthers(world: World, node: Node): Promise<Others> {
  const shares = openShares({ db: world.db, now: Date.now, secrets: [world.env['NAMEWRIGHT_SECRET'] ?? ''] })
  const account = await world.makeAccount()
  const known = (await world.makeKey(account)).secret
  const names = [{ name: 'Fernhill', domain: 'fernhill.com', seen: '{"available":true,"price":"$9.99"}' }]
  const draft = { title: 'For the shop', message: null, favoriteIds: [], names, days: 7, showPrices: true }
  const share = await shares.create(account, { ...draft, createdBy: null })
  const list = (shares.pathOf(account, share) ?? '').replace('/r/', '/shares/')
  const stream = {
    accept: 'text/event-stream',
    body: { description: 'a bakery with a garden', count: 1, tlds: ['com'], deadline_ms: 500 },
  }
  const call = async (path: string, what: Parameters<typeof callFrom>[2], sign: string): Promise<string[]> => {
    const { status, text } = await callFrom(OTHER, `${node.url}${path}`, what)
    return status === 200 && text.includes(sign) ? [] : [`${path} ${status} ${text.slice(0, 200)}`]
  }
  return {
    list,
    async ask() {
      const fresh = (await world.makeKey(account)).secret
      const failed = await Promise.all([
        call('/v1/generate', { ...stream, key: known }, 'event: done'),
        call('/v1/generate', { ...stream, key: fresh }, 'event: done'),
        call('/v1/history', { key: known }, '"success"'),
        call('/v1/favorites', { key: known }, '"success"'),
        call(list, {}, 'For the shop'),
        call('/sign-in', { accept: 'text/html' }, '<form'),
      ])
      return failed.flat()
    },
  }
}
