/** Asks the user for confirmation on a terminal; a script must pass --yes. */
import { usageError } from './exit.ts'
import type { Invocation } from './spec.ts'
import type { Input } from './streams.ts'

export async function confirm({ options, streams }: Invocation, question: string): Promise<boolean> {
  if (options.flag('yes')) return true
  if (streams.stdin.isTTY !== true) throw usageError(`${question} Confirm with --yes.`)
  streams.stderr.write(`${question} [y/N] `)
  return /^y(?:es)?$/i.test((await readLine(streams.stdin)).trim())
}

/** Reads one line. */
export async function readLine(input: Input): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)
    if (/[\r\n]/.test(text)) break
  }
  return text.split(/[\r\n]/)[0] ?? ''
}
