/**
 * Parses the command line into options and arguments. An unknown option is an error that suggests the nearest option.
 *
 * `--name value`, `--name=value`, `-n value`, `-n5`; `--` ends the options. Not `util.parseArgs`, because an error should
 * help to correct the command line, and must never repeat a secret.
 */
import { usageError } from './exit.ts'
import { didYouMean } from './nearest.ts'
import { SECRET_OPTIONS } from './spec.ts'
import type { Options, OptionSpec } from './spec.ts'

export interface Parsed {
  readonly options: Options
  readonly words: readonly string[]
}

export const NO_SECRETS = 'Other users of this machine can see command lines, and your shell keeps them in its history.'
export const WHERE_SECRETS_GO =
  'Set NAMEWRIGHT_API_KEY, run “namewright login”, or store a key with “namewright config set key”.'

export function parseOptions(args: readonly string[], specs: readonly OptionSpec[]): Parsed {
  const given = new Map<string, string[]>()
  const words: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--') {
      words.push(...args.slice(at + 1))
      break
    }
    const found = readOption(arg, specs)
    if (found === undefined) words.push(arg)
    else {
      const { spec } = found
      const next = args[at + 1]
      let { value } = found
      if (spec.takes === undefined) {
        if (value !== undefined) throw usageError(`--${spec.name} takes no value.`)
      } else if (value === undefined) {
        if (next === undefined || /^-\D/.test(next)) throw usageError(`--${spec.name} needs a value: ${formOf(spec)}`)
        value = next
        at += 1
      }
      given.set(spec.name, [...(given.get(spec.name) ?? []), checked(spec, value ?? '')])
    }
  }
  return { options: optionsOf(given), words }
}

export function formOf({ name, takes, placeholder }: OptionSpec): string {
  return takes === undefined ? `--${name}` : `--${name} ${placeholder ?? (takes === 'integer' ? 'N' : 'TEXT')}`
}

/** The number of arguments before the command, which are options. */
export function lengthOfOptions(args: readonly string[], specs: readonly OptionSpec[]): number {
  let at = 0
  while (at < args.length && args[at] !== '--') {
    const found = readOption(args[at] ?? '', specs)
    if (found === undefined) break
    at += found.spec.takes !== undefined && found.value === undefined ? 2 : 1
  }
  return at
}

function readOption(arg: string, specs: readonly OptionSpec[]): { spec: OptionSpec; value?: string } | undefined {
  if (arg === '--no-color') return readOption('--color=never', specs)
  const long = /^--([^=]+)(?:=([^]*))?$/.exec(arg)
  if (long) {
    const [, name = '', value] = long
    const spec = specs.find((one) => one.name === name)
    if (spec) return value === undefined ? { spec } : { spec, value }
    if (SECRET_OPTIONS.has(name)) throw usageError(`There is no option --${name}. ${NO_SECRETS}`, WHERE_SECRETS_GO)
    throw usageError(
      `Unknown option --${name}.`,
      didYouMean(
        name,
        specs.map((one) => one.name),
        (one) => `--${one}`,
      ),
    )
  }
  // A single minus and a negative number are arguments.
  const short = /^-([A-Za-z])([^]*)$/.exec(arg)
  if (!short) return undefined
  const [, letter = '', rest = ''] = short
  const spec = specs.find((one) => one.short === letter)
  if (!spec) {
    const full = specs.find((one) => one.name === arg.slice(1))
    throw usageError(`Unknown option -${letter}.`, full && `Did you mean --${full.name}?`)
  }
  const value = rest.replace(/^=/, '')
  return rest === '' ? { spec } : { spec, value }
}

function checked(spec: OptionSpec, value: string): string {
  const { name, takes, oneOf, range } = spec
  const parts = takes === 'list' ? itemsOf(value) : [value]
  if (takes === 'list' && parts.length === 0) throw usageError(`--${name} is empty.`)
  for (const part of parts) {
    if (oneOf && !oneOf.includes(part))
      throw usageError(
        `--${name} does not accept “${part}”. Valid values: ${oneOf.join(', ')}.`,
        didYouMean(part, oneOf),
      )
  }
  if (takes === 'integer' || takes === 'number') {
    const number = value.trim() === '' ? Number.NaN : Number(value)
    const isRight = takes === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number)
    if (!isRight)
      throw usageError(`--${name} must be a ${takes === 'integer' ? 'whole number' : 'number'}, not “${value}”.`)
    if (range && (number < range[0] || number > range[1]))
      throw usageError(`--${name} must be from ${range[0]} to ${range[1]}, not ${value}.`)
  }
  return value
}

function itemsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function optionsOf(given: ReadonlyMap<string, readonly string[]>): Options {
  return {
    flag: (name) => given.has(name),
    text: (name) => given.get(name)?.at(-1),
    list: (name) => given.get(name)?.flatMap(itemsOf),
    number: (name) => (given.has(name) ? Number(given.get(name)?.at(-1)) : undefined),
  }
}
