/** GET /.well-known/security.txt (RFC 9116): where to report a vulnerability of this installation. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'

const PROJECT = 'https://github.com/namewright/namewright'
const DAY_MS = 86_400_000
// RFC 9116 §2.5.5 recommends less than a year. It is written anew at every request, so only a copy expires.
const LASTS_MS = 90 * DAY_MS

export function securityTxtRoute(app: FastifyInstance, ctx: Context): void {
  app.get('/.well-known/security.txt', async (_request, reply) => {
    const { securityContacts } = ctx.config
    const contacts = securityContacts.length > 0 ? securityContacts : [`${PROJECT}/security/advisories/new`]
    // Rounded to the day, so that copies do not differ every second.
    const expires = new Date(Math.floor((ctx.now() + LASTS_MS) / DAY_MS) * DAY_MS)
    const lines = [
      ...contacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${ctx.publicUrl}/.well-known/security.txt`,
      `Policy: ${PROJECT}/security/policy`,
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}
