/** Connections that an attacker opens from one loopback address and leaves open, and calls from another address. */
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface HeldSocket {
  readonly socket: Socket
  readonly isOpen: boolean
  /** What was answered so far. */
  readonly text: string
  /** The status of the first answer; undefined while there is none. */
  readonly status: number | undefined
}

export const ATTACKER = '127.0.0.1'
export const OTHER = '127.0.0.2'

/** Sends these bytes, and nothing more. */
export function holdSocket(port: number, bytes = '', from = ATTACKER): HeldSocket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  let isOpen = true
  let text = ''
  socket.on('error', () => {})
  socket.on('close', () => (isOpen = false))
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  if (bytes !== '') socket.write(bytes)
  return {
    socket,
    get isOpen() {
      return isOpen
    },
    get text() {
      return text
    },
    get status() {
      return text === '' ? undefined : Number(text.slice(9, 12))
    },
  }
}

export function holdSockets(count: number, port: number, bytes = '', from = ATTACKER): HeldSocket[] {
  return Array.from({ length: count }, () => holdSocket(port, bytes, from))
}

export function letGo(sockets: readonly HeldSocket[]): void {
  for (const { socket } of sockets) socket.destroy()
}

const ESTABLISHED = '01'

/**
 * How many connections from this address a server on loopback has accepted. The client cannot tell: when so many come at
 * once that the kernel's queue overflows, it takes some for open that the server has never seen.
 */
export async function countAccepted(port: number, from: string): Promise<number> {
  const hex = (byte: string | number, length: number) => Number(byte).toString(16).toUpperCase().padStart(length, '0')
  const address = from
    .split('.')
    .toReversed()
    .map((byte) => hex(byte, 2))
    .join('')
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  return rows.filter(
    ([, local = '', remote = '', state, , , , , , inode = '0']) =>
      state === ESTABLISHED && local.endsWith(`:${hex(port, 4)}`) && remote.startsWith(`${address}:`) && inode !== '0',
  ).length
}

/** Headers that announce a longer body than the one byte that is sent. */
export function slowPost(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ Host: 'localhost', 'Content-Type': 'application/json', ...headers })
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}Content-Length: 200\r\n\r\n{`
}

export interface Called {
  readonly status: number
  readonly text: string
}

/** Status 0: the connection broke, or nothing was answered in time. */
export function callFrom(
  address: string,
  url: string,
  { key, body, method, accept }: { key?: string; body?: unknown; method?: string; accept?: string } = {},
): Promise<Called> {
  return new Promise((resolve) => {
    const sent = request(
      url,
      {
        localAddress: address,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        agent: false,
        timeout: 15_000,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(accept === undefined ? {} : { accept }),
        },
      },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', () => resolve({ status: 0, text }))
      },
    )
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => resolve({ status: 0, text: '' }))
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
