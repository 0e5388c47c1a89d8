/** Marks every response of a sandbox service, whose domains and prices are made up. */
import type { FastifyReply } from 'fastify'
import type { Config } from '../platform/config/config.ts'

export const SANDBOX_HEADER = 'Namewright-Sandbox'

/** For agents and logs. People get it in their language. */
export const SANDBOX_NOTE = 'Sandbox: these domains and prices are made up.'

/** The headers that mark every response. */
export function marksOf({ sandbox }: Config): Readonly<Record<string, string>> {
  return sandbox ? { [SANDBOX_HEADER]: 'true' } : {}
}

export function isMarked(reply: FastifyReply): boolean {
  return reply.hasHeader(SANDBOX_HEADER)
}
