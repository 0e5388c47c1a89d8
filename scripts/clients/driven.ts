/** An example client in its own process, called from a test: one line there, one line back. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { pythonName } from './python.ts'

const ROOT = new URL('../..', import.meta.url).pathname

export const LANGUAGES = {
  Python: { command: '/usr/bin/python3', driver: 'driver.py', folder: 'examples/python', nameOf: pythonName },
  PHP: { command: '/usr/bin/php', driver: 'driver.php', folder: 'examples/php', nameOf: (name: string) => name },
} as const

export type ClientLanguage = keyof typeof LANGUAGES

export interface Answered {
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of an answer is what the test is about
  readonly data?: any
  readonly error?: {
    readonly code: string
    readonly status?: number
    readonly hint?: string | null
    readonly errors?: readonly { readonly pointer: string }[]
    readonly request_id?: string | null
    readonly retry_after?: number | null
  }
}

export interface Driven extends Disposable {
  /** `args` are ids and the body; names of `options` are in snake_case. */
  call(operation: string, args?: readonly unknown[], options?: Readonly<Record<string, unknown>>): Promise<Answered>
}

export function drive(language: ClientLanguage, url: string, key: string): Driven {
  const { command, driver, folder, nameOf } = LANGUAGES[language]
  const child = spawn(command, [`${import.meta.dirname}/${driver}`, `${ROOT}${folder}`], {
    env: { NAMEWRIGHT_URL: url, NAMEWRIGHT_API_KEY: key },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const optionName = (name: string) =>
    language === 'PHP' && /^(?:idempotency_key|last_event_id)$/.test(name) ? camel(name) : name
  return {
    async call(operation, args = [], options = {}) {
      const named = Object.fromEntries(Object.entries(options).map(([name, value]) => [optionName(name), value]))
      child.stdin.write(`${JSON.stringify({ method: nameOf(operation), args, options: named })}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error(`${language} ended: ${stderr}`)
      return JSON.parse(value) as Answered
    },
    [Symbol.dispose]: () => child.kill(),
  }
}

const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, first: string) => first.toUpperCase())
