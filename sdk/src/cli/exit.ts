/** How a run of the command ends, for scripts. The same table is in docs/cli.md. */
export const EXIT = {
  /** Something was found, or done. */
  found: 0,
  /** Nothing: no domain is free, no names, no such record. */
  none: 1,
  /** The command line is wrong, or what it refers to. */
  usage: 2,
  /** Who are you, and may you do this? */
  auth: 3,
  /** A budget or a rate is used up. */
  quota: 4,
  /** The service, or those that it asks, did not answer. */
  upstream: 5,
  /** Ctrl-C, as shells count it. */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** What the person at the keyboard can do something about. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: ExitCode
  readonly hint: string | undefined

  constructor(exitCode: ExitCode, message: string, hint?: string) {
    super(message)
    this.exitCode = exitCode
    this.hint = hint
  }
}

export function usageError(message: string, hint?: string): CliError {
  return new CliError(EXIT.usage, message, hint)
}

/** The reason of the signal that ends a run. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}
