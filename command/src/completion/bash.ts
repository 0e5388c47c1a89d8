/** Completion for bash, without the package bash-completion. */
import type { CommandSpec } from '../spec.ts'
import type { Surface } from '../help.ts'
import { firstWords, optionsOf, secondWords, takesFile } from './words.ts'

export function bashScript(surface: Surface): string {
  const { commands, groups } = surface
  return `# Completion of namewright for bash. Put into ~/.bashrc:  source <(namewright completion bash)
_namewright() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command='' word words='' i
  # bash splits words at an equals sign: --color=al is three words.
  [[ $cur == = ]] && cur=''
  [[ $prev == = ]] && prev=\${COMP_WORDS[COMP_CWORD-2]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == -* ]] && continue
    case $command in
      '') command=$word ;;
      ${groups.map(({ name }) => name).join('|')}) command="$command $word"; break ;;
      *) break ;;
    esac
  done
  COMPREPLY=()
  case $command in
    '') words='${firstWords(surface)
      .map(([word]) => word)
      .join(' ')} --help --version' ;;
${groups
  .map(
    ({ name }) =>
      `    ${name}) words='${secondWords(surface, name)
        .map(([word]) => word)
        .join(' ')}' ;;`,
  )
  .join('\n')}
${commands.map(branchOf).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _namewright namewright
`
}

function branchOf(command: CommandSpec): string {
  const options = optionsOf(command)
  const values = options.flatMap((option) => {
    const names = [`--${option.name}`, ...(option.short === undefined ? [] : [`-${option.short}`])].join('|')
    if (option.oneOf) return [`        ${names}) words='${option.oneOf.join(' ')}' ;;`]
    // An empty reply lets the shell complete file names.
    if (takesFile(option)) return [`        ${names}) return ;;`]
    return option.takes === undefined ? [] : [`        ${names}) compopt +o default 2>/dev/null || true; return ;;`]
  })
  const words = options.map(({ name }) => `--${name}`)
  const more = Array.isArray(command.words) ? ` ${command.words.join(' ')}` : ''
  const files = command.words === 'files' ? '\n          [[ $cur != -* ]] && return' : ''
  const pattern = command.name.includes(' ') ? `'${command.name}'` : command.name
  return `    ${pattern})
      case $prev in
${values.join('\n')}
        *)${files}
          words='${words.join(' ')}${more}' ;;
      esac ;;`
}
