/** The words that completion offers, for all shells. */
import { COMMON_OPTIONS } from '../spec.ts'
import type { CommandSpec, OptionSpec } from '../spec.ts'
import type { Surface } from '../help.ts'

/** Commands with their descriptions. */
export function firstWords({ commands, groups }: Surface): readonly (readonly [word: string, about: string])[] {
  const names = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
  return names.map((name) => {
    const found = groups.find((group) => group.name === name) ?? commands.find((command) => command.name === name)
    return [name, found?.about ?? ''] as const
  })
}

export function secondWords({ commands }: Surface, group: string): readonly (readonly [word: string, about: string])[] {
  return commands
    .filter(({ name }) => name.startsWith(`${group} `))
    .map(({ name, about }) => [name.split(' ')[1] ?? '', about] as const)
}

export function optionsOf(command: CommandSpec): readonly OptionSpec[] {
  return [...command.options, ...COMMON_OPTIONS]
}

/** Options whose value is a file. */
export function takesFile({ name }: OptionSpec): boolean {
  return name === 'out'
}

/** Quotes text with single quotes for a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
