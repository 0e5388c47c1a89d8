/**
 * The transport to one resolver, over UDP (`dns-udp.ts`) or TCP (`dns-tcp.ts`). Both send a message under an id of
 * their own, remember its ticket, and pass on what arrives under that id. Neither reads more than the id.
 */
export interface DnsSocket<T> {
  /**
   * Returns a key for `forget`, which ends the wait. The caller gives `message` away: its first two bytes become the
   * id.
   */
  send(message: Buffer, ticket: T): number
  forget(key: number): void
  close(): Promise<void>
}

export interface DnsSocketOptions<T> {
  readonly resolver: ResolverAddress
  /** May be called more than once per ticket: a forged message can arrive before or after the right one. */
  readonly onMessage: (ticket: T, message: Buffer) => void
  /** No response will arrive. UDP never detects that. */
  readonly lose: (ticket: T) => void
}

export interface ResolverAddress {
  readonly address: string
  readonly port: number
  readonly family: 'ipv4' | 'ipv6'
}
