/**
 * What a feature gives to the service. `app.ts` lists all features; the server, the worker, and the deletion and export
 * of accounts walk the list, so that none of them knows a feature by name.
 */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import type { AccountId } from '../model/caller.ts'
import type { Member, UserId } from '../model/member.ts'
import type { SecurityAction } from '../model/security-action.ts'
import type { Statement, Transaction } from '../platform/db/db.ts'
import type { Exported } from '../platform/db/walk.ts'
import type { QueueName } from '../platform/jobs/queues.ts'
import type { Handler } from '../platform/jobs/jobs.ts'
import type { Tool } from './mcp/tool.ts'
import type { Document } from './openapi.ts'
import type { Route } from './route.ts'
import type { SettingsRoute } from './settings-route.ts'
import type { RouteContext } from './route-context.ts'

export interface Feature {
  /** The name of its folder. */
  readonly name: string
  readonly routes?: readonly Route[]
  /** Adds routes that are plain Fastify: pages, files, what answers no JSON. */
  readonly addRoutes?: (app: FastifyInstance, ctx: Context, parts: RouteParts) => void
  /** Under /settings, for people with the cookie of their session. */
  readonly settings?: readonly SettingsRoute[]
  /** For agents, by MCP. */
  readonly tools?: readonly Tool[]
  readonly jobs?: Readonly<Partial<Record<QueueName, (ctx: Context) => Handler>>>
  readonly data?: AccountData
}

/** What the feature keeps of an account. */
export interface AccountData {
  /** Deletes all of it. */
  readonly forget?: (account: AccountId, ctx: Context) => readonly Statement[]
  readonly export?: (member: Member, ctx: Context) => Exported
  /** The lists of `export` whose rows name people; true: all. */
  readonly naming?: true | readonly string[]
  /**
   * Ends, in the transaction in which a person loses the right to manage the account, what they set up for it. `known`:
   * what the audit log says they created before creators were recorded.
   */
  readonly endAccess?: (tx: Transaction, leaver: Leaver, ctx: Context) => Promise<void>
  /** Keeps what a deleted person did for the account, without their identity. */
  readonly forgetPerson?: (account: AccountId, person: UserId, ctx: Context) => readonly Statement[]
  /** Deletes what is expired, `limit` rows of each kind. */
  readonly purge?: (account: Kept, limit: number, ctx: Context) => readonly Statement[]
  /** Creates the jobs again that were lost. */
  readonly wake?: (account: AccountId, ctx: Context) => Statement
}

/** Who may no longer manage an account. */
export interface Leaver {
  readonly account: AccountId
  readonly userId: UserId
  readonly known: readonly string[]
  readonly note: Note
}

/** An entry of the audit log, to be committed with the change. */
export type Note = (action: SecurityAction, detail: Readonly<Record<string, string>>) => Statement

/** How long, and how many bytes of history, an account keeps; null is for ever, and all. */
export interface Kept {
  readonly id: AccountId
  readonly historyDays: number | null
  readonly historyBytes: number | null
}

export interface RouteParts {
  readonly routeContext: RouteContext
  readonly readiness: Readiness
  readonly version: string
  readonly documentOf: () => Document
}

export interface Readiness {
  /** True from the moment the process is asked to stop. */
  draining: boolean
}
