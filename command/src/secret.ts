/** Reads a secret from standard input: from a pipe, or from a terminal without echo. */
import { EXIT, CliError, Interrupted } from './exit.ts'
import type { Invocation } from './spec.ts'
import { readAll } from './streams.ts'
import type { Input } from './streams.ts'

export async function readSecret({ streams }: Invocation, question: string): Promise<string> {
  const { stdin, stderr } = streams
  let text: string
  if (stdin.isTTY === true && stdin.setRawMode) {
    stderr.write(question)
    stdin.setRawMode(true)
    try {
      text = await readHidden(stdin)
    } finally {
      stdin.setRawMode(false)
      stderr.write('\n')
    }
  } else text = await readAll(stdin)
  const secret = text.trim()
  if (!/^[\x21-\x7e]{8,}$/.test(secret)) throw new CliError(EXIT.usage, 'This is not a valid API key.')
  return secret
}

async function readHidden(input: Input): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    for (const one of typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)) {
      if (one === '\x03') throw new Interrupted('stopped')
      if (one === '\r' || one === '\n' || one === '\x04') return text
      text = one === '\x7f' || one === '\b' ? text.slice(0, -1) : text + one
    }
  }
  return text
}
