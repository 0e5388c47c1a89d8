/** The client of a stream, as the work sees it that sends updates to it. */
export interface StreamReader<Updates extends readonly unknown[]> {
  readonly onUpdate: (...updates: Updates) => void
  /** The ids under which the charges of this stream are recorded. The same for all connections of the stream. */
  readonly chargeIds: readonly string[]
  /** Whether the client has disconnected. */
  isGone(): boolean
  /** Names with a registrable domain that this stream has sent, on this connection or an earlier one. */
  sentNames(): readonly string[]
}
