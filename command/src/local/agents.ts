/**
 * The tools for agents without a service: names and checks by the engines of this process, as /mcp of the service gives
 * them. Saved domains belong to an account, so there is no tool for them.
 */
import { checkTool } from '../../../server/src/features/check/tools.ts'
import { serve } from '../../../server/src/http/mcp/serve.ts'
import { suggestNamesTool } from '../../../server/src/features/generate/tools.ts'
import type { ToolCall } from '../../../server/src/http/mcp/tool.ts'
import { createProblems } from '../../../server/src/http/problem.ts'
import { readMessages } from '../../../server/src/http/wire/language.ts'
import type { Fetch } from '../../../sdk/src/exchange.ts'
import { LOCAL_URL } from '../session.ts'
import type { Invocation } from '../spec.ts'
import { readVersion } from '../version.ts'
import { openLocalEngines } from './local.ts'
import { createPresenter } from './present.ts'
import { suggestLocally } from './service.ts'

// As of the other commands without a service.
const DEADLINE_MS = 10_000

export async function openLocalAgents(invocation: Invocation): Promise<Fetch> {
  const engines = await openLocalEngines(invocation)
  const [messages, present] = [readMessages(), createPresenter(engines)]
  const [answerOf, version] = [createProblems({ messages, publicUrl: LOCAL_URL, marks: {} }), readVersion()]
  const tools = [suggestNamesTool((request, { signal }) => suggestLocally(engines, request, signal)), checkTool]
  const messagesFor: ToolCall['routeContext']['messagesFor'] = (language) => {
    const found = messages.get(language)
    if (!found) throw new Error(`no messages in ${language}`)
    return found
  }
  return async (_address, { headers, body = '', signal }) => {
    const visit: ToolCall = {
      ctx: engines,
      routeContext: { answerOf, messagesFor },
      deadlineMs: DEADLINE_MS,
      present,
      caller: { accountId: '' as ToolCall['caller']['accountId'] },
      requireScope: () => {},
      takeChecks: async () => {},
      onFault: (tool, error, code) => {
        if (code === 'internal') invocation.say(`namewright: ${tool}: ${String(error)}`)
      },
      requestId: '',
      acceptLanguage: headers['accept-language'],
      signal,
    }
    return serve(visit, { headers, message: JSON.parse(body) as object, version, tools })
  }
}
