/**
 * GET /settings/me/export and DELETE /settings/me: a person exports or deletes their data. Both need a step-up, so that
 * a browser that was left open is not enough.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { endAccess } from './change-membership.ts'
import type { Context } from '../../context.ts'
import type { Transaction } from '../../platform/db/db.ts'
import { deleteAccounts } from './delete-account.ts'
import { deletePerson } from './delete-person.ts'
import { exportPerson } from './export-person.ts'
import type { AccountId } from '../../model/caller.ts'
import type { UserId } from '../../model/member.ts'
import { successOf } from '../../http/wire/texts.ts'
import { personOf } from '../../http/settings/session-auth.ts'
import { noteOwn } from '../../http/settings/note-own.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'

export function personalDataRoutes(app: FastifyInstance, ctx: Context): void {
  app.get('/settings/me/export', { exposeHeadRoute: false, config: { stepUp: true } }, async (request, reply) => {
    const person = personOf(request)
    await applyRateLimit(ctx, request, person)
    // Before the data is read, so that the export includes this entry.
    await noteOwn(ctx, request, person, 'exported')
    const day = new Date(ctx.now()).toISOString().slice(0, 10)
    return reply
      .header('Content-Disposition', `attachment; filename="namewright-${day}.json"`)
      .send(Readable.from(exportPerson(ctx, person), { objectMode: false }))
  })

  app.delete('/settings/me', { config: { stepUp: true } }, async (request, reply) => {
    const person = personOf(request)
    await applyRateLimit(ctx, request, person)
    const leaving = {
      ...ctx,
      deleteAccounts: (accounts: readonly AccountId[]) => deleteAccounts(ctx, accounts),
      endAccess: (tx: Transaction, account: AccountId, userId: UserId) => endAccess(ctx, tx, { account, userId }),
    }
    await deletePerson(leaving, person)
    return reply.send(successOf('{}'))
  })
}
