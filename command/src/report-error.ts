/**
 * Reports an error to the user: what happened, which option caused it, and how to fix it. Also chooses the exit code for
 * scripts.
 */
import type { FieldError } from '../../sdk/src/api-types.ts'
import { NamewrightError, NetworkError, TimeBudgetError } from '../../sdk/src/errors.ts'
import { clean } from './clean.ts'
import { CliError, EXIT, Interrupted } from './exit.ts'
import type { Output } from './streams.ts'
import { WHERE_SECRETS_GO } from './parse.ts'
import { spanText } from './progress.ts'

export function reportError(error: unknown, output: Output, signal: AbortSignal): number {
  const { exitCode, lines } = explain(signal.aborted ? signal.reason : error)
  for (const [i, line] of lines.entries()) output.write(`${i === 0 ? 'namewright: ' : '  '}${clean(line)}\n`)
  return exitCode
}

interface Explanation {
  readonly exitCode: number
  readonly lines: readonly string[]
}

function explain(error: unknown): Explanation {
  if (error instanceof Interrupted) return { exitCode: EXIT.interrupted, lines: [error.message] }
  if (error instanceof CliError)
    return { exitCode: error.exitCode, lines: [error.message, ...(error.hint === undefined ? [] : [error.hint])] }
  if (error instanceof NamewrightError) return explainRefusal(error)
  if (error instanceof NetworkError || error instanceof TimeBudgetError) {
    const reason = innermost(error)
    const isIncluded = reason === '' || error.message.includes(reason)
    return {
      exitCode: EXIT.upstream,
      lines: [
        `${sentence(error.message)}${isIncluded ? '' : ` (${reason})`}`,
        'Check the URL of the service: “namewright config” shows it, --url or NAMEWRIGHT_URL changes it.',
      ],
    }
  }
  const text = error instanceof Error ? error.message : String(error)
  // An id that the client refuses to send, such as “..”.
  if (/^\w+ is not a valid id$/.test(text)) return { exitCode: EXIT.usage, lines: ['The id is not valid.'] }
  // For example a file that cannot be written.
  if (error instanceof Error && 'syscall' in error) return { exitCode: EXIT.usage, lines: [text] }
  return { exitCode: EXIT.upstream, lines: [`Unexpected error in the response or in this command: ${text}`] }
}

function explainRefusal(error: NamewrightError): Explanation {
  const { code, status, message, errors, hint, requestId, retryAfterMs } = error
  const exitCode = exitCodeOf(error)
  const isUnauthenticated = status === 401 || code === 'token_refused'
  return {
    exitCode,
    lines: [
      // The message of the service names fields, and a person knows options.
      ...(errors.length === 0
        ? [`${sentence(message)} [${code}]`]
        : errors.map((one, index) => `${optionOf(one)}: ${one.message}${index === 0 ? ` [${code}]` : ''}`)),
      ...(isUnauthenticated ? [WHERE_SECRETS_GO] : hint !== undefined && errors.length === 0 ? [hint] : []),
      ...(retryAfterMs === undefined ? [] : [`Try again in ${spanText(retryAfterMs)}.`]),
      ...(requestId !== undefined && status >= 500 ? [`Report this request id to the operator: ${requestId}`] : []),
    ],
  }
}

function exitCodeOf({ status, code }: NamewrightError): number {
  if (code === 'no_names' || code === 'not_found') return EXIT.none
  if (status === 401 || status === 403 || code === 'token_refused') return EXIT.auth
  if (code === 'quota_exceeded' || code === 'rate_limited' || status === 429) return EXIT.quota
  return status >= 400 && status < 500 && status !== 408 ? EXIT.usage : EXIT.upstream
}

/** The option of a field: `/max_price` is --max-price, and `/domains/3` is domain 4. */
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

/** The innermost cause: runtimes wrap it once or twice, and it is the most specific. */
function innermost(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const inner = innermost(error.cause)
  if (inner !== '') return inner
  const { code } = error as { code?: unknown }
  if (typeof code === 'string') return code
  return error instanceof NetworkError || error instanceof TimeBudgetError ? '' : error.message
}
