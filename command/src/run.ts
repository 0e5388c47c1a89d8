/**
 * The command as a function: from arguments, streams and environment to an exit code. It never uses or exits the process.
 *
 *   arguments → command → options → run → exit code; all errors are reported here
 */
import { COMMANDS, GROUPS } from './commands.ts'
import { EXIT, usageError } from './exit.ts'
import { clean } from './clean.ts'
import { didYouMean } from './nearest.ts'
import { createPaint } from './paint.ts'
import { lengthOfOptions, parseOptions } from './parse.ts'
import { COMMON_OPTIONS, FORMAT_OPTIONS } from './spec.ts'
import type { CommandSpec, Invocation } from './spec.ts'
import type { Env, Outside, Streams } from './streams.ts'

const LEADING = [...COMMON_OPTIONS, ...FORMAT_OPTIONS]

export async function run(
  args: readonly string[],
  streams: Streams,
  env: Env,
  outside: Partial<Outside> = {},
): Promise<number> {
  const world: Outside = {
    now: outside.now ?? Date.now,
    openBrowser: outside.openBrowser ?? (async (url) => (await import('./browser.ts')).openBrowser(url, env)),
    fetch: outside.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    signal: outside.signal ?? new AbortController().signal,
  }
  const closing: (() => Promise<void>)[] = []
  try {
    const { command, args: rest } = findCommand(args)
    if (rest.includes('--help') || rest.includes('-h')) {
      const { commandText } = await import('./help.ts')
      streams.stdout.write(commandText(command))
      return EXIT.found
    }
    const { options, words } = parseOptions(rest, [...command.options, ...COMMON_OPTIONS])
    const choice = options.text('color')
    const invocation: Invocation = {
      command,
      commands: COMMANDS,
      groups: GROUPS,
      options,
      words,
      streams,
      env,
      outside: world,
      paint: createPaint(streams.stdout, env, choice),
      paintErr: createPaint(streams.stderr, env, choice),
      say: (text) => streams.stderr.write(`${clean(text)}\n`),
      onEnd: (close) => void closing.push(close),
    }
    const runner = await command.load()
    return await runner(invocation)
  } catch (error) {
    const { reportError } = await import('./report-error.ts')
    return reportError(error, streams.stderr, world.signal)
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

function findCommand(all: readonly string[]): { command: CommandSpec; args: readonly string[] } {
  if (all.includes('--version') || all[0] === '-V') return { command: named('version'), args: [] }
  const leading = lengthOfOptions(all, LEADING)
  const options = all.slice(0, leading)
  const [first, second, ...rest] = all.slice(leading)
  if (first === undefined) return { command: named('help'), args: [] }
  const single = COMMANDS.find(({ name }) => name === first)
  if (single) return { command: single, args: [...options, ...all.slice(leading + 1)] }
  const group = GROUPS.find(({ name }) => name === first)
  if (!group) return unknown(first, all)
  const inside = COMMANDS.find(({ name }) => name === `${first} ${second}`)
  if (inside) return { command: inside, args: [...options, ...rest] }
  if (second === '--help' || second === '-h') return { command: named('help'), args: [first] }
  if (group.without !== undefined && (second === undefined || second.startsWith('-')))
    return { command: named(`${first} ${group.without}`), args: [...options, ...all.slice(leading + 1)] }
  const actions = COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(
    ({ name }) => name.split(' ')[1] ?? '',
  )
  throw usageError(
    second === undefined
      ? `“namewright ${first}” needs a subcommand: ${actions.join(', ')}.`
      : `Unknown command “${first} ${second}”.`,
    didYouMean(second ?? '', actions, (one) => `“namewright ${first} ${one}”`) ?? `See “namewright help ${first}”.`,
  )
}

/** An argument with several words is a description for `suggest`. */
function unknown(first: string, all: readonly string[]): { command: CommandSpec; args: readonly string[] } {
  if (/\s/.test(first.trim())) return { command: named('suggest'), args: all }
  const names = new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? ''))
  throw usageError(
    `Unknown command “${first}”.`,
    didYouMean(first, names, (one) => `“namewright ${one}”`) ?? 'See “namewright help”.',
  )
}

function named(name: string): CommandSpec {
  const found = COMMANDS.find((one) => one.name === name)
  if (!found) throw new Error(`no command ${name}`)
  return found
}
