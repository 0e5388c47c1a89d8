/**
 * What went wrong, for the person at the keyboard: what happened, which of their options is meant, what to do; and the
 * exit code for their script.
 */
import type { FieldError } from '../api-types.ts'
import { NamewrightError, NetworkError, TimeBudgetError } from '../errors.ts'
import { clean } from './clean.ts'
import { CliError, EXIT, Interrupted } from './exit.ts'
import type { Output } from './streams.ts'
import { WHERE_SECRETS_GO } from './parse.ts'
import { spanText } from './progress.ts'

export function tell(error: unknown, output: Output, signal: AbortSignal): number {
  const { exitCode, lines } = explain(signal.aborted ? signal.reason : error)
  for (const [i, line] of lines.entries()) output.write(`${i === 0 ? 'namewright: ' : '  '}${clean(line)}\n`)
  return exitCode
}

interface Told {
  readonly exitCode: number
  readonly lines: readonly string[]
}

function explain(error: unknown): Told {
  if (error instanceof Interrupted) return { exitCode: EXIT.interrupted, lines: [error.message] }
  if (error instanceof CliError)
    return { exitCode: error.exitCode, lines: [error.message, ...(error.hint === undefined ? [] : [error.hint])] }
  if (error instanceof NamewrightError) return explainRefusal(error)
  if (error instanceof NetworkError || error instanceof TimeBudgetError) {
    const reason = innermost(error)
    return {
      exitCode: EXIT.upstream,
      lines: [
        `${sentence(error.message)}${reason === '' ? '' : ` (${reason})`}`,
        'Is the address right? See “namewright config”; --url and NAMEWRIGHT_URL change it.',
      ],
    }
  }
  const text = error instanceof Error ? error.message : String(error)
  // What the client refuses to send, such as an id with a slash in it.
  if (/^\w+ is not an id$/.test(text)) return { exitCode: EXIT.usage, lines: ['That is not an id.'] }
  // A file that cannot be written, for example.
  if (error instanceof Error && 'syscall' in error) return { exitCode: EXIT.usage, lines: [text] }
  return { exitCode: EXIT.upstream, lines: [`Something is wrong with the answer, or with this command: ${text}`] }
}

function explainRefusal(error: NamewrightError): Told {
  const { code, status, message, errors, hint, requestId, retryAfterMs } = error
  const exitCode = exitCodeOf(error)
  const isUnknownCaller = status === 401 || code === 'token_refused'
  return {
    exitCode,
    lines: [
      `${sentence(message)} [${code}]`,
      ...errors.map((one) => `${optionOf(one)}: ${one.message}`),
      ...(isUnknownCaller ? [WHERE_SECRETS_GO] : hint !== undefined && errors.length === 0 ? [hint] : []),
      ...(retryAfterMs === undefined ? [] : [`Again in ${spanText(retryAfterMs)}.`]),
      ...(requestId !== undefined && status >= 500 ? [`Tell the operator the request: ${requestId}`] : []),
    ],
  }
}

function exitCodeOf({ status, code }: NamewrightError): number {
  if (code === 'no_names' || code === 'not_found') return EXIT.none
  if (status === 401 || status === 403 || code === 'token_refused') return EXIT.auth
  if (code === 'quota_exceeded' || code === 'rate_limited' || status === 429) return EXIT.quota
  return status >= 400 && status < 500 && status !== 408 ? EXIT.usage : EXIT.upstream
}

/** The field as it was typed: `/max_price` is --max-price, and of `/domains/3` the fourth. */
function optionOf({ pointer }: FieldError): string {
  const [, name = '', index] = pointer.split('/')
  if (name === 'description') return 'the description'
  if (name === 'domains' || name === 'domain') return index === undefined ? 'the domain' : `domain ${Number(index) + 1}`
  if (name === 'deadline_ms') return '--deadline'
  if (name === 'styles') return '--style'
  if (name === 'q') return '--search'
  return `--${name.replaceAll('_', '-')}`
}

function sentence(text: string): string {
  const whole = /[.!?。]$/.test(text) ? text : `${text}.`
  return whole.charAt(0).toUpperCase() + whole.slice(1)
}

/** Runtimes wrap the reason once or twice, and the innermost says most. */
function innermost(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const inner = innermost(error.cause)
  if (inner !== '') return inner
  const { code } = error as { code?: unknown }
  if (typeof code === 'string') return code
  return error instanceof NetworkError || error instanceof TimeBudgetError ? '' : error.message
}
