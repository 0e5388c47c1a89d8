/** The types of a command: its specification, which the parser, help and completion read, and one invocation of it. */
import { COLOUR_CHOICES } from './paint.ts'
import type { Paint } from './paint.ts'
import type { Env, Outside, Streams } from './streams.ts'

export interface OptionSpec {
  readonly name: string
  readonly short?: string
  /** The type of its value; a flag has none. A list is separated by commas, or the option is repeated. */
  readonly takes?: 'text' | 'list' | 'integer' | 'number'
  readonly placeholder?: string
  readonly oneOf?: readonly string[]
  readonly range?: readonly [least: number, most: number]
  readonly about: string
}

export interface CommandSpec {
  /** One word, or two: `history list`. */
  readonly name: string
  readonly about: string
  /** The arguments, as shown in help. */
  readonly takes: string
  readonly options: readonly OptionSpec[]
  /** Arguments for completion: a closed list, or files. */
  readonly words?: readonly string[] | 'files'
  /** Shown in its help, below the options. */
  readonly notes?: readonly string[]
  readonly examples: readonly string[]
  /** Imported when the command runs, so that no command loads the others. */
  load(): Promise<Runner>
}

export type Runner = (invocation: Invocation) => Promise<number>

/** The parsed options of one invocation, by name. */
export interface Options {
  flag(name: string): boolean
  text(name: string): string | undefined
  list(name: string): readonly string[] | undefined
  number(name: string): number | undefined
}

/** One invocation of a command. */
export interface Invocation {
  readonly command: CommandSpec
  /** All commands, for help and completion. */
  readonly commands: readonly CommandSpec[]
  readonly groups: readonly GroupSpec[]
  readonly options: Options
  /** Arguments that are not options. */
  readonly words: readonly string[]
  readonly streams: Streams
  readonly env: Env
  readonly outside: Outside
  /** Colors for standard output, and for standard error. */
  readonly paint: Paint
  readonly paintErr: Paint
  /** Writes a line to standard error. */
  readonly say: (text: string) => void
  /** Closes at the end what was opened, the last one first. */
  readonly onEnd: (close: () => Promise<void>) => void
}

/** A command with subcommands. */
export interface GroupSpec {
  readonly name: string
  readonly about: string
  /** The default subcommand. */
  readonly without?: string
}

/** Options of every command. They may also precede the command. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'url',
    takes: 'text',
    placeholder: 'URL',
    about: 'URL of the service (default: NAMEWRIGHT_URL, then the setting url)',
  },
  {
    name: 'timeout',
    takes: 'number',
    placeholder: 'S',
    range: [0.1, 3600],
    about: 'seconds until a call times out (default 30)',
  },
  {
    name: 'color',
    takes: 'text',
    placeholder: 'WHEN',
    oneOf: COLOUR_CHOICES,
    about: 'when to use color: auto, always or never',
  },
  { name: 'help', short: 'h', about: 'show this help' },
]

export const FORMAT_OPTIONS: readonly OptionSpec[] = [
  { name: 'json', about: 'print one JSON document' },
  { name: 'ndjson', about: 'print one JSON object per line' },
  { name: 'csv', about: 'print CSV with a header row, safe for spreadsheets' },
  { name: 'md', about: 'print a table in Markdown' },
]

/** Options that do not exist on purpose: the error message explains where secrets go instead. */
export const SECRET_OPTIONS: ReadonlySet<string> = new Set(['key', 'api-key', 'apikey', 'token', 'secret', 'password'])
