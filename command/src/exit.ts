/** The exit codes of the command. docs/cli.md has the same table. */
export const EXIT = {
  /** Success: something was found or done. */
  found: 0,
  /** Nothing found: no available domain, no names, no such record. */
  none: 1,
  /** The command line is invalid, or a file that it refers to. */
  usage: 2,
  /** Authentication failed, or a scope is missing. */
  auth: 3,
  /** The quota or the rate limit is used up. */
  quota: 4,
  /** The service or one of its sources did not respond. */
  upstream: 5,
  /** Without a service: no network, so nothing was looked up. */
  offline: 6,
  /** Ctrl-C: 128 + SIGINT. */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** An error that the user can fix. */
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

/** The reason of the abort signal after Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** Whether the operating system reports this error. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code
}
