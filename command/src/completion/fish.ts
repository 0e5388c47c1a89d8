/** Completion for fish. */
import type { CommandSpec, OptionSpec } from '../spec.ts'
import type { Surface } from '../help.ts'
import { firstWords, optionsOf, quoted, secondWords, takesFile } from './words.ts'

export function fishScript(surface: Surface): string {
  const { commands, groups } = surface
  const first = firstWords(surface).map(([word, about]) =>
    lineOf('__fish_use_subcommand', `-a ${word} -d ${quoted(about)}`),
  )
  const second = groups.flatMap(({ name }) => {
    const words = secondWords(surface, name)
    const none = `__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${words.map(([word]) => word).join(' ')}`
    return words.map(([word, about]) => lineOf(none, `-a ${word} -d ${quoted(about)}`))
  })
  return [
    '# Completion of namewright for fish: namewright completion fish > ~/.config/fish/completions/namewright.fish',
    'complete -c namewright -f',
    ...first,
    ...second,
    ...commands.flatMap(commandLines),
    '',
  ].join('\n')
}

function commandLines(command: CommandSpec): string[] {
  const [first = '', second] = command.name.split(' ')
  const here = `__fish_seen_subcommand_from ${first}${second === undefined ? '' : `; and __fish_seen_subcommand_from ${second}`}`
  const words = Array.isArray(command.words) ? [lineOf(here, `-a ${quoted(command.words.join(' '))}`)] : []
  const files = command.words === 'files' ? [lineOf(here, '-F')] : []
  return [...optionsOf(command).map((option) => lineOf(here, optionText(option))), ...words, ...files]
}

function optionText(option: OptionSpec): string {
  const short = option.short === undefined ? '' : ` -s ${option.short}`
  const values = option.oneOf ? ` -a ${quoted(option.oneOf.join(' '))}` : ''
  const takes = option.takes === undefined ? '' : takesFile(option) ? ' -r -F' : ' -x'
  return `-l ${option.name}${short}${takes}${values} -d ${quoted(option.about)}`
}

function lineOf(condition: string, rest: string): string {
  return `complete -c namewright -n ${quoted(condition)} ${rest}`
}
