/** `namewright help`, `namewright help COMMAND`. */
import { EXIT, usageError } from '../exit.ts'
import { commandText, groupText, overviewText } from '../help.ts'
import { didYouMean } from '../nearest.ts'
import type { Invocation } from '../spec.ts'

export async function help(invocation: Invocation): Promise<number> {
  const { words, commands, groups, streams } = invocation
  const wanted = words.join(' ')
  const command = commands.find(({ name }) => name === wanted)
  const group = groups.find(({ name }) => name === wanted)
  if (command) streams.stdout.write(commandText(command))
  else if (group) streams.stdout.write(groupText(group, invocation))
  else if (wanted === '') streams.stdout.write(overviewText(invocation))
  else {
    const known = [...commands, ...groups].map(({ name }) => name)
    throw usageError(
      `Unknown command “${wanted}”.`,
      didYouMean(wanted, known, (one) => `“namewright help ${one}”`),
    )
  }
  return EXIT.found
}
