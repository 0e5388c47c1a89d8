/**
 * Taking everything along, and going: GET /settings/me/export and DELETE /settings/me. Both want a recent sign-in, so
 * that a browser that was left open gives away neither.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { deleteAccounts } from '../../delete-account.ts'
import { deletePerson } from '../../delete-person.ts'
import { exportPerson } from '../../export-person.ts'
import { requireRecent } from '../recent.ts'
import { successOf } from '../../wire/texts.ts'
import { personOf } from './door.ts'
import { noteOwn } from './note-own.ts'
import { keepPace } from './pace.ts'

export function farewellRoutes(app: FastifyInstance, ctx: Context): void {
  app.get('/settings/me/export', { exposeHeadRoute: false }, async (request, reply) => {
    const person = personOf(request)
    requireRecent(ctx, person)
    await keepPace(ctx, request, person)
    // Before it is read, so that it is part of what is taken along.
    await noteOwn(ctx, request, person, 'exported')
    const day = new Date(ctx.now()).toISOString().slice(0, 10)
    return reply
      .header('Content-Disposition', `attachment; filename="namewright-${day}.json"`)
      .send(Readable.from(exportPerson(ctx, person), { objectMode: false }))
  })

  app.delete('/settings/me', async (request, reply) => {
    const person = personOf(request)
    requireRecent(ctx, person)
    await keepPace(ctx, request, person)
    await deletePerson({ ...ctx, deleteAccounts: (accounts) => deleteAccounts(ctx, accounts) }, person)
    return reply.send(successOf('{}'))
  })
}
