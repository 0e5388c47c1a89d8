/**
 * Argument parsing for the operator's commands: an unknown option is refused before anything is done, and `--help`
 * only prints.
 */
import { parseArgs } from 'node:util'
import type { ParseArgsConfig } from 'node:util'

export interface StandardStreams {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}

export type CommandOptions = NonNullable<ParseArgsConfig['options']>

/** A mistake in the arguments: its message is printed with the command's usage, and the exit code is 2. */
export class UsageError extends Error {}

export function isHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end === -1 ? args : args.slice(0, end)).some((word) => word === '--help' || word === '-h')
}

/** Throws UsageError. */
export function parseOptions<const O extends CommandOptions>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw asUsageError(error)
  }
}

/** Like `parseOptions`, for a command that also takes positional arguments. */
export function parseWords<const O extends CommandOptions>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw asUsageError(error)
  }
}

function asUsageError(error: unknown): unknown {
  const isOurs = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  // Node adds advice about positional arguments that begin with a dash; our commands take none.
  return isOurs ? new UsageError(error.message.replace(/\. To specify .*$/s, '.')) : error
}
