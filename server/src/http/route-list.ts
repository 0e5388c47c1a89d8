/**
 * What `namewright-server routes` prints: one line per route with what it declares. Reads the routes as the server adds
 * them, without settings, database or Redis. What a handler checks beyond its declaration is not in it.
 */
import fastify from 'fastify'
import type { RouteOptions } from 'fastify'
import type { Context } from '../context.ts'
import { enforceAccess, routeName, type Access } from './access.ts'
import type { AttemptLimit } from './within-limits.ts'
import type { Feature } from './feature.ts'
import { answerPreflights } from './gate.ts'
import type { RouteContext } from './route-context.ts'
import { addRoutes } from './server.ts'
import { GUESSES } from './step-up.ts'

type Config = NonNullable<RouteOptions['config']>

const HEADING = ['METHOD', 'PATH', 'ACCESS', 'LOAD', 'IDEMPOTENCY-KEY', 'STREAM', 'LIMITS']
// Fixed, so that a new route changes no other line.
const WIDTHS = [7, 77, 24, 16, 15, 6]

export async function printRoutes(features: readonly Feature[]): Promise<string> {
  const rows = new Map<string, string[]>()
  const app = fastify()
  enforceAccess(app)
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook('onRoute', ({ method, url, config = {} }) => {
    for (const one of [method].flat().filter((name) => name !== 'HEAD')) {
      const row = rowOf(one, url, config)
      // A page has two routes, one of them with a slash at the end.
      rows.set(row.join(), row)
    }
  })
  answerPreflights(app)
  // No handler is called, so nothing reads them.
  const routeContext = {} as RouteContext
  const parts = { routeContext, readiness: { draining: false }, version: '', documentOf: () => ({}) }
  addRoutes(app, {} as Context, features, parts)
  await app.ready()
  await app.close()
  const sorted = [...rows.values()].toSorted(([a = '', b = ''], [c = '', d = '']) =>
    b === d ? compare(a, c) : compare(b, d),
  )
  return [HEADING, ...sorted].map(lineOf).join('\n')
}

function rowOf(method: string, url: string, config: Config): string[] {
  const [, path = ''] = routeName(method, url).split(' ')
  const { access, priority = 'normal', pool, idempotencyKey = 'used', events, limit, stepUp, whileSuspended } = config
  // A webhook has the same routes under /v1, where a credential is no session.
  const needsStepUp = stepUp !== undefined && access?.by === 'session'
  const limits = [
    ...(limit ? limitsOf(limit) : []),
    ...(needsStepUp ? [stepUp === true ? 'step-up' : 'step-up for some bodies'] : []),
    ...(whileSuspended ? ['also in a suspended account'] : []),
  ]
  return [
    method,
    path,
    access ? accessOf(access) : '',
    priority === 'never' ? 'never shed' : pool ? `${priority} ${pool}` : priority,
    method === 'POST' && path.startsWith('/v1/') ? idempotencyKey : '-',
    events ? 'yes' : '-',
    limits.join(', ') || '-',
  ]
}

function accessOf(access: Access): string {
  switch (access.by) {
    case 'token':
      return access.audience === 'mcp' ? 'scope of the tool' : `scope ${access.scope}`
    case 'session':
      if (access.least === undefined) return 'signed in'
      return `role ${access.least}${access.own ? `, own ${access.own}` : ''}`
    default:
      return access.by
  }
}

function limitsOf({ address: [perHour, burst], meant, guess, stepUp }: AttemptLimit): string[] {
  return [
    `${perHour}/h burst ${burst} per address`,
    ...(meant ? [`${meant[1]}/h burst ${meant[2]} per ${meant[0]}`] : []),
    ...(guess ? [`${GUESSES.perHour}/h burst ${GUESSES.burst} per person`] : []),
    ...(stepUp ? ['step-up'] : []),
  ]
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const lineOf = (columns: readonly string[]): string =>
  columns
    .map((text, at) => text.padEnd(WIDTHS[at] ?? 0))
    .join('  ')
    .trimEnd()
