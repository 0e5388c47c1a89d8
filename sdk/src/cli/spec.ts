/** What a command is called and takes, as data, and what it is handed: help, completion and the parser read the same. */
import { COLOUR_CHOICES } from './paint.ts'
import type { Paint } from './paint.ts'
import type { Env, Outside, Streams } from './streams.ts'

export interface OptionSpec {
  readonly name: string
  readonly short?: string
  /** What it takes; a flag takes nothing. A list is separated by commas, or the option is repeated. */
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
  /** What follows the name. */
  readonly takes: string
  readonly options: readonly OptionSpec[]
  /** Words that may follow, for completion: a closed list, or files. */
  readonly words?: readonly string[] | 'files'
  /** Said in its help, below the options. */
  readonly notes?: readonly string[]
  readonly examples: readonly string[]
  /** Brought in when it is run, so that no command waits for the others. */
  load(): Promise<Runner>
}

export type Runner = (invocation: Invocation) => Promise<number>

/** The options of one run, by their names. */
export interface Options {
  flag(name: string): boolean
  text(name: string): string | undefined
  list(name: string): readonly string[] | undefined
  number(name: string): number | undefined
}

/** One run of one command. */
export interface Invocation {
  readonly command: CommandSpec
  /** All there are, for help and completion. */
  readonly commands: readonly CommandSpec[]
  readonly groups: readonly GroupSpec[]
  readonly options: Options
  /** What is not an option. */
  readonly words: readonly string[]
  readonly streams: Streams
  readonly env: Env
  readonly outside: Outside
  /** For standard output; for standard error. */
  readonly paint: Paint
  readonly paintErr: Paint
  /** A line for the person, on standard error. */
  readonly say: (text: string) => void
}

/** Words that stand before others. */
export interface GroupSpec {
  readonly name: string
  readonly about: string
  /** What is meant when only the group is named. */
  readonly without?: string
}

/** May also stand before the command. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'url',
    takes: 'text',
    placeholder: 'URL',
    about: 'the service; otherwise NAMEWRIGHT_URL, or url of the config',
  },
  {
    name: 'timeout',
    takes: 'number',
    placeholder: 'S',
    range: [0.1, 3600],
    about: 'seconds until a call is given up; 15',
  },
  { name: 'color', takes: 'text', placeholder: 'WHEN', oneOf: COLOUR_CHOICES, about: 'auto, always or never' },
  { name: 'help', short: 'h', about: 'this text' },
]

export const FORMAT_OPTIONS: readonly OptionSpec[] = [
  { name: 'json', about: 'one JSON document' },
  { name: 'ndjson', about: 'a JSON object per line' },
  { name: 'csv', about: 'CSV with a heading, safe for spreadsheets' },
]

/** Refused with an explanation: who types one of these should know why there is none. */
export const SECRET_OPTIONS: ReadonlySet<string> = new Set(['key', 'api-key', 'apikey', 'token', 'secret', 'password'])
