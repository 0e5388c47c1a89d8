/** Completion for zsh. */
import type { CommandSpec, OptionSpec } from '../spec.ts'
import type { Surface } from '../help.ts'
import { firstWords, optionsOf, quoted, secondWords, takesFile } from './words.ts'

export function zshScript(surface: Surface): string {
  const { commands, groups } = surface
  const singles = commands.filter(({ name }) => !name.includes(' '))
  return `#compdef namewright
# Completion of namewright for zsh. Put into ~/.zshrc, below compinit:  source <(namewright completion zsh)
_namewright() {
  local -a found
  if (( CURRENT == 2 )); then
    found=(${listOf(firstWords(surface))})
    _describe command found
    return
  fi
  local first=$words[2] second=$words[3]
  # Completes the arguments as if the command stood alone.
  shift words
  (( CURRENT-- ))
  case $first in
${singles.map((command) => `    ${command.name}) ${argumentsOf(command)} ;;`).join('\n')}
${groups.map(({ name }) => groupOf(surface, name)).join('\n')}
  esac
}
(( $+functions[compdef] )) && compdef _namewright namewright
`
}

function groupOf(surface: Surface, group: string): string {
  const inside = surface.commands.filter(({ name }) => name.startsWith(`${group} `))
  return `    ${group})
      if (( CURRENT == 2 )); then
        found=(${listOf(secondWords(surface, group))})
        _describe command found
        return
      fi
      shift words
      (( CURRENT-- ))
      case $second in
${inside.map((command) => `        ${command.name.split(' ')[1]}) ${argumentsOf(command)} ;;`).join('\n')}
      esac ;;`
}

function argumentsOf(command: CommandSpec): string {
  const words = Array.isArray(command.words)
    ? `(${command.words.join(' ')})`
    : command.words === 'files'
      ? '_files'
      : ' '
  const rest = command.takes === '' ? [] : [quoted(`*:${command.takes.replaceAll(':', ' ')}:${words}`)]
  return `_arguments ${[...optionsOf(command).map(argumentOf), ...rest].join(' ')}`
}

function argumentOf(option: OptionSpec): string {
  const about = option.about.replaceAll(/[[\]:]/g, ' ')
  if (option.takes === undefined) return quoted(`--${option.name}[${about}]`)
  const action = option.oneOf ? `(${option.oneOf.join(' ')})` : takesFile(option) ? '_files' : ' '
  const repeat = option.takes === 'list' ? '*' : ''
  return quoted(`${repeat}--${option.name}=[${about}]:${option.placeholder ?? 'value'}:${action}`)
}

function listOf(words: readonly (readonly [string, string])[]): string {
  return words.map(([word, about]) => quoted(`${word}:${about.replaceAll(':', ' ')}`)).join(' ')
}
