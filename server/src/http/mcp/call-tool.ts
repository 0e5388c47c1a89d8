/**
 * One call of a tool: the scope, the work, and whatever goes wrong as a result that an agent can read and act on.
 *
 * What goes wrong has no structured content: that of a tool is of one shape, the one it has announced, and clients
 * refuse any other, also in an error. The same facts are in `_meta`, for programs.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Static } from 'typebox'
import type { ApiError } from '../../errors.ts'
import { requireScope } from '../auth.ts'
import { apiErrorOf } from '../faults.ts'
import { chooseLanguage } from '../../wire/language.ts'
import type { Language } from '../../wire/language.ts'
import type { ErrorAnswer } from '../../wire/schemas.ts'
import type { Tool, Visit } from './tool.ts'

const ERROR_KEY = 'namewright/error'

export async function callTool(tool: Tool, args: unknown, visit: Visit): Promise<CallToolResult> {
  const { caller } = visit.session
  const { language: wish } = args as { language?: unknown }
  const language = chooseLanguage({ body: wish, accept: visit.acceptLanguage, account: caller.language })
  try {
    requireScope(caller, tool.scope)
    const { data, text } = await tool.answer(args, { ...visit, language })
    return { content: [{ type: 'text', text }], structuredContent: data }
  } catch (error) {
    const known = apiErrorOf(error)
    report(error, known, tool, visit)
    return refusal(known, language, visit)
  }
}

/** The same lines as for any other route. */
function report(error: unknown, known: ApiError, { name: tool }: Tool, { ctx, requestId, signal }: Visit): void {
  const isHangUp = signal.aborted && error instanceof Error && error.name === 'AbortError'
  if (known.code === 'internal' && !isHangUp) ctx.log.error({ err: error, request_id: requestId, tool }, 'failed')
  else if (known.code === 'unavailable')
    ctx.log.warn({ err: known.cause, request_id: requestId }, 'a dependency is away')
}

function refusal(known: ApiError, language: Language, { doors, requestId }: Visit): CallToolResult {
  const { headers, body } = doors.answerOf(known, { language, requestId, accept: undefined })
  const { error } = JSON.parse(body) as Static<typeof ErrorAnswer>
  const wait = headers['retry-after']
  const fields = error.errors?.map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`) ?? []
  return {
    isError: true,
    content: [{ type: 'text', text: [`${error.code}: ${error.message} ${error.hint ?? ''}`, ...fields].join('\n') }],
    _meta: { [ERROR_KEY]: { ...error, ...(wait === undefined ? {} : { retry_after: Number(wait) }) } },
  }
}
