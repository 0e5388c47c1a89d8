/**
 * GET …/security-events: the audit log of an account, newest first, a page at a time; and all of it as a download,
 * oldest first, as CSV or as one JSON object per line. For admins. Each entry names the person, the credential and the
 * application, as far as they are known.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { Member } from '../../model/member.ts'
import type { SecurityEvent } from '../../tenancy/audit-log/audit-log.ts'
import type { RouteContext } from '../route-context.ts'
import { pageOf } from '../page.ts'
import { closed } from '../../wire/schemas.ts'
import { signedInMemberOf } from './session-auth.ts'
import { noting } from './noting.ts'
import { applyRateLimit } from './rate-limit.ts'

const EventsQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
)
type EventsQuery = Static<typeof EventsQuery>

const ExportQuery = Type.Object({ format: Type.Optional(Type.Enum(['csv', 'ndjson'])) }, closed)
type ExportQuery = Static<typeof ExportQuery>

export function securityEventRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  app.get<{ Querystring: EventsQuery }>(
    '/settings/accounts/:account/security-events',
    { schema: { querystring: EventsQuery } },
    async (request, reply) => {
      const { member } = signedInMemberOf(request)
      const { limit, cursor } = request.query
      const list = 'security-events'
      const page = pageOf(routeContext, request, reply, { list, account: member.accountId, filter: {}, limit, cursor })
      const events = await ctx.auditLog.list(member, page.window)
      const wireOf = await createWire(ctx, member, events)
      return page.send('security_events', events, (event) => JSON.stringify(wireOf(event)))
    },
  )

  app.get<{ Querystring: ExportQuery }>(
    '/settings/accounts/:account/security-events/export',
    { schema: { querystring: ExportQuery }, exposeHeadRoute: false },
    async (request, reply) => {
      const { member, person } = signedInMemberOf(request)
      await applyRateLimit(ctx, request, person)
      const { format = 'csv' } = request.query
      // Before the log is read, so that the download includes this entry.
      await ctx.db.as(member, [noting(ctx, request, member, 'audit_log_exported', { format })])
      const day = new Date(ctx.now()).toISOString().slice(0, 10)
      return reply
        .header('Content-Disposition', `attachment; filename="namewright-security-events-${day}.${format}"`)
        .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson')
        .send(Readable.from(exportTexts(ctx, member, format), { objectMode: false }))
    },
  )
}

async function createWire(ctx: Context, member: Member, events: readonly SecurityEvent[]) {
  const actors = new Set(events.flatMap(({ actor }) => actor ?? []))
  const clientIds = new Set(events.flatMap(({ credential }) => credential?.clientId ?? []))
  const [names, clients, keys] = await Promise.all([
    ctx.people.namesOf([...actors]),
    ctx.people.clientNames([...clientIds]),
    ctx.keys.list(member),
  ])
  const keyNames = new Map(
    keys.flatMap(({ id, name, client_id }) => (client_id === null ? [[id as string, name]] : [])),
  )

  return ({ id, created_at, action, actor, credential, ip, detail }: SecurityEvent) => {
    const clientId = credential?.clientId
    return {
      id,
      created_at,
      action,
      actor: actor === null ? null : { id: actor, name: names.get(actor)?.name ?? null },
      credential: credential
        ? { kind: credential.kind, id: credential.id || null, name: keyNames.get(credential.id) ?? null }
        : null,
      application: clientId === undefined ? null : { client_id: clientId, name: clients.get(clientId)?.name ?? null },
      ip,
      detail,
    }
  }
}

const ENTRIES_AT_ONCE = 100

async function* exportTexts(ctx: Context, member: Member, format: ExportQuery['format']): AsyncGenerator<string> {
  let isFirst = true
  for await (const events of inPages(ctx.auditLog.walk(member))) {
    const wireOf = await createWire(ctx, member, events)
    for (const entry of events.map(wireOf)) {
      if (format === 'ndjson') {
        yield `${JSON.stringify(entry)}\n`
        continue
      }
      const fields = flat(entry)
      if (isFirst) yield csvLine(Object.keys(fields))
      isFirst = false
      yield csvLine(Object.values(fields))
    }
  }
}

async function* inPages(events: AsyncIterable<SecurityEvent>): AsyncGenerator<readonly SecurityEvent[]> {
  let page: SecurityEvent[] = []
  for await (const event of events) {
    page.push(event)
    if (page.length < ENTRIES_AT_ONCE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/** A CSV row: the person, the credential and the application, each in columns of its own. */
function flat({ actor, credential, application, ...entry }: WireEntry): Readonly<Record<string, unknown>> {
  return {
    ...entry,
    actor: actor?.id,
    actor_name: actor?.name,
    credential: credential?.kind,
    credential_id: credential?.id,
    application: application?.client_id,
    application_name: application?.name,
  }
}

type WireEntry = ReturnType<Awaited<ReturnType<typeof createWire>>>

function csvLine(values: readonly unknown[]): string {
  return `${values.map((value) => csvField(textOf(value))).join(',')}\r\n`
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** RFC 4180. A spreadsheet would run a text that begins like a formula, and people choose names. */
function csvField(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
