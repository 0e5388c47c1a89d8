/**
 * `namewright completion SHELL`: a completion script, generated from the list of commands. It never calls the service, so
 * completion is instant and works offline.
 */
import { EXIT, usageError } from '../exit.ts'
import { didYouMean } from '../nearest.ts'
import { bashScript } from '../completion/bash.ts'
import { fishScript } from '../completion/fish.ts'
import { zshScript } from '../completion/zsh.ts'
import type { Invocation } from '../spec.ts'
import type { Surface } from '../help.ts'

const SCRIPTS: Readonly<Record<string, (surface: Surface) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

export async function completion(invocation: Invocation): Promise<number> {
  const [shell, more] = invocation.words
  const names = Object.keys(SCRIPTS)
  if (shell === undefined || more !== undefined) throw usageError(`Pass one shell: ${names.join(', ')}.`)
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined
  if (!script)
    throw usageError(
      `There is no completion for “${shell}”. Supported shells: ${names.join(', ')}.`,
      didYouMean(shell, names),
    )
  invocation.streams.stdout.write(script(invocation))
  return EXIT.found
}
