/** Help texts, generated from the list of commands. */
import { formOf } from './parse.ts'
import { COMMON_OPTIONS } from './spec.ts'
import type { CommandSpec, GroupSpec, OptionSpec } from './spec.ts'
import { widthOf } from './width.ts'

export interface Surface {
  readonly commands: readonly CommandSpec[]
  readonly groups: readonly GroupSpec[]
}

export function overviewText({ commands, groups }: Surface): string {
  const single = commands.filter(({ name }) => !name.includes(' '))
  const names = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
  const rows = names.map((name): [string, string] => [
    name,
    (groups.find((group) => group.name === name) ?? single.find((one) => one.name === name))?.about ?? '',
  ])
  return [
    'Namewright: suggest names with domains that can be registered, and their prices.',
    '',
    'Usage: namewright COMMAND [OPTIONS]',
    '       namewright "DESCRIPTION" [OPTIONS]     same as namewright suggest',
    '',
    ...columns(rows),
    '',
    'Exit codes: 0 success, 1 nothing found or available, 2 usage error, 3 authentication, 4 quota or rate limit,',
    '            5 service or source error, 130 interrupted by Ctrl-C.',
    'The API key comes from NAMEWRIGHT_API_KEY or the settings, the URL from NAMEWRIGHT_URL or the settings.',
    'Help for a command: namewright help COMMAND',
    '',
  ].join('\n')
}

export function groupText(group: GroupSpec, { commands }: Surface): string {
  const own = commands.filter(({ name }) => name.startsWith(`${group.name} `))
  const rows = own.map(({ name, takes, about }): [string, string] => [`namewright ${name} ${takes}`.trim(), about])
  const without =
    group.without === undefined
      ? []
      : ['', `“namewright ${group.name}” is short for “namewright ${group.name} ${group.without}”.`]
  return [`${group.about}.`, '', ...columns(rows), ...without, ''].join('\n')
}

export function commandText({ name, about, takes, options, notes = [], examples }: CommandSpec): string {
  const rows = [...options, ...COMMON_OPTIONS].map((option): [string, string] => [optionText(option), option.about])
  return [
    `${about}${/[.?!]$/.test(about) ? '' : '.'}`,
    '',
    `Usage: namewright ${name}${takes === '' ? '' : ` ${takes}`} [OPTIONS]`,
    '',
    ...columns(rows),
    ...(notes.length > 0 ? ['', ...notes] : []),
    '',
    examples.length > 1 ? 'Examples:' : 'Example:',
    ...examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}

function optionText(option: OptionSpec): string {
  return `${option.short === undefined ? '    ' : `-${option.short}, `}${formOf(option)}`
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => widthOf(left)))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
