/** A declared route as the work of a tool. */
import type { TSchema } from 'typebox'
import { JsonText } from '../ask.ts'
import { perform } from '../commit.ts'
import type { AnswerTo, Replies, Route } from '../route.ts'
import type { Call } from './tool.ts'

/** `body`: checked by the schema of the tool. Returns what the route answers. */
export async function performTool<B extends TSchema, P extends TSchema, Q extends TSchema, R extends Replies>(
  route: Route<B, P, Q, R>,
  body: unknown,
  { service, language, signal }: Call,
) {
  if (!service) throw new Error('this belongs to an account of a service')
  const { ctx, routeContext, session, ip } = service
  const messages = routeContext.messagesFor(language)
  const operation = `mcp ${route.id}`
  const done = await perform(route, { operation, body, caller: session.caller, ip, language, messages, signal }, ctx)
  session.spent = done.cost
  if (done.data === undefined || done.data instanceof JsonText) throw new Error(`${route.id} has no data for a tool`)
  return { status: done.status, data: done.data as Exclude<AnswerTo<R>['data'], JsonText | undefined> }
}
