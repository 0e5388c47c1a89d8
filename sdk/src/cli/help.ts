/** The texts of help, made from the list of commands. */
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
    'Namewright: names whose domains can really be registered, and what they cost.',
    '',
    'Usage: namewright COMMAND [OPTIONS]',
    '       namewright "what it is about" [OPTIONS]     the same as namewright suggest',
    '',
    ...columns(rows),
    '',
    'Exit codes: 0 found, 1 none free, 2 usage, 3 auth, 4 quota, 5 upstream, 130 stopped by Ctrl-C.',
    'The key comes from NAMEWRIGHT_API_KEY or the config, the address from NAMEWRIGHT_URL or the config.',
    'More about one: namewright help COMMAND',
    '',
  ].join('\n')
}

export function groupText(group: GroupSpec, { commands }: Surface): string {
  const own = commands.filter(({ name }) => name.startsWith(`${group.name} `))
  const rows = own.map(({ name, takes, about }): [string, string] => [`namewright ${name} ${takes}`.trim(), about])
  const without =
    group.without === undefined
      ? []
      : ['', `“namewright ${group.name}” alone is “namewright ${group.name} ${group.without}”.`]
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
