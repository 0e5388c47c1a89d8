/** Everything that an invocation uses of its environment, so that tests can replace it. */
import { readFile } from 'node:fs/promises'
import { isCode, usageError } from './exit.ts'
import type { Fetch } from '../../sdk/src/exchange.ts'

export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

export interface Input extends AsyncIterable<Uint8Array | string> {
  readonly isTTY?: boolean | undefined
  /** Terminal only: raw mode has no echo and no line buffering. */
  setRawMode?(isRaw: boolean): unknown
}

export interface Streams {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
}

export type Env = Readonly<Record<string, string | undefined>>

export interface Outside {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Resolves to false where there is no browser. */
  readonly openBrowser: (url: string) => Promise<boolean>
  readonly fetch: Fetch
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

export async function readAll(input: Input): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of input) text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}

export async function readFileText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) throw usageError(`The file ${path} does not exist.`)
    if (isCode(error, 'EISDIR')) throw usageError(`${path} is a folder.`)
    throw error
  }
}
