/** The client of a stream, as the work sees it that sends updates to it. */
export interface StreamReader<Updates extends readonly unknown[]> {
  readonly onUpdate: (...updates: Updates) => void
  /** Whether the client has disconnected. */
  isGone(): boolean
  /** Names that this stream has shown, and those it took back. */
  sentNames(): { readonly shown: readonly string[]; readonly withdrawn: readonly string[] }
}
