/**
 * Runs one tool call: checks the scope, does the work, and turns any error into a result that an agent can act on.
 *
 * An error has no structured content, because programs would take it for a result. The same facts are in `_meta`.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Static } from 'typebox'
import type { ApiError } from '../../model/errors.ts'
import { apiErrorOf } from '../faults.ts'
import { SANDBOX_NOTE } from '../sandbox.ts'
import { chooseLanguage } from '../wire/language.ts'
import type { Language } from '../wire/language.ts'
import type { ErrorAnswer } from '../wire/schemas.ts'
import type { Tool, ToolCall } from './tool.ts'

const ERROR_KEY = 'namewright/error'
const SANDBOX_KEY = 'namewright/sandbox'

export async function callTool(tool: Tool, args: unknown, visit: ToolCall): Promise<CallToolResult> {
  const { caller } = visit
  const { language: wish } = args as { language?: unknown }
  const language = chooseLanguage({ body: wish, accept: visit.acceptLanguage, account: caller.language })
  try {
    visit.requireScope(tool.scopeOf(args))
    const { data, text } = await tool.answer(args, { ...visit, language })
    const answer = { structuredContent: data }
    if (!visit.ctx.config.sandbox) return { content: [{ type: 'text', text }], ...answer }
    return { content: [{ type: 'text', text: `${SANDBOX_NOTE}\n${text}` }], ...answer, _meta: { [SANDBOX_KEY]: true } }
  } catch (error) {
    const known = apiErrorOf(error)
    const isHangUp = visit.signal.aborted && error instanceof Error && error.name === 'AbortError'
    if (!isHangUp) visit.onFault(tool.name, known.code === 'internal' ? error : known.cause, known.code)
    return refusal(known, language, visit)
  }
}

function refusal(known: ApiError, language: Language, { routeContext, requestId }: ToolCall): CallToolResult {
  const { headers, body } = routeContext.answerOf(known, { language, requestId, accept: undefined })
  const { error } = JSON.parse(body) as Static<typeof ErrorAnswer>
  const wait = headers['retry-after']
  const fields = error.errors?.map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`) ?? []
  return {
    isError: true,
    content: [
      {
        type: 'text',
        text: [
          [`${error.code}:`, error.message, ...(error.hint === undefined ? [] : [error.hint])].join(' '),
          ...fields,
        ].join('\n'),
      },
    ],
    _meta: { [ERROR_KEY]: { ...error, ...(wait === undefined ? {} : { retry_after: Number(wait) }) } },
  }
}
