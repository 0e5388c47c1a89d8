/**
 * A way to one resolver, over UDP (`dns-udp.ts`) or TCP (`dns-tcp.ts`). Both do the same: send a message under an id
 * of their own, remember whose it is, and hand over what comes back under that id. Neither reads more than the id.
 */
export interface Line<T> {
  /** The key ends the waiting, by `forget`. `message` is given away: its first two bytes become the id. */
  send(message: Buffer, ticket: T): number
  forget(key: number): void
  close(): Promise<void>
}

export interface LineOptions<T> {
  readonly resolver: ResolverAddress
  /** May be called more than once for a ticket: a forged message comes before or after the right one. */
  readonly hear: (ticket: T, message: Buffer) => void
  /** Nothing more will come. UDP never knows that. */
  readonly lose: (ticket: T) => void
}

export interface ResolverAddress {
  readonly address: string
  readonly port: number
  readonly family: 'ipv4' | 'ipv6'
}
