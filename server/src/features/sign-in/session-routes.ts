/** The sessions of the signed-in person: list and end them. */
import { Type } from 'typebox'
import { ApiError } from '../../model/errors.ts'
import { isUuid } from '../../model/id.ts'
import { settingsRoute, signedIn } from '../../http/settings-route.ts'
import { closed, Done, nullable, RowTime, success } from '../../http/wire/schemas.ts'

const SignInSession = Type.Object(
  {
    id: Type.String(),
    created_at: RowTime,
    expires_at: RowTime,
    address: nullable(Type.String()),
    browser: nullable(Type.String()),
    current: Type.Boolean({ description: 'The session of this request.' }),
  },
  { ...closed, $id: 'SignInSession' },
)

const listSessions = settingsRoute({
  method: 'GET',
  path: '/settings/me/sessions',
  id: 'listSessions',
  summary: 'List the sessions',
  access: signedIn,
  replies: { 200: success(Type.Object({ sessions: Type.Array(SignInSession) }, closed), 'Sessions') },
  async run({ person }, { people }) {
    const rows = await people.listSessions(person.userId)
    const sessions = rows.map(({ id, created_at, expires_at, ip_address, user_agent }) => ({
      id,
      created_at,
      expires_at,
      address: ip_address,
      browser: user_agent,
      current: id === person.sessionId,
    }))
    return { sessions }
  },
})

const endOtherSessions = settingsRoute({
  method: 'DELETE',
  path: '/settings/me/sessions',
  id: 'endOtherSessions',
  summary: 'End all other sessions',
  access: signedIn,
  replies: { 200: Done },
  async run(ask, { people }) {
    await people.endOtherSessions(ask.person.userId, ask.person.sessionId)
    await ask.noteOwn('session_ended', { sessions: 'others' })
    return {}
  },
})

const endSession = settingsRoute({
  method: 'DELETE',
  path: '/settings/me/sessions/{id}',
  id: 'endSession',
  summary: 'End a session',
  access: signedIn,
  replies: { 200: Done },
  async run(ask, { people }) {
    const { id } = ask.params
    if (!(isUuid(id) && (await people.endSession(ask.person.userId, id)))) throw new ApiError('not_found')
    await ask.noteOwn('session_ended', { session_id: id })
    return {}
  },
})

export const sessionRoutes = [listSessions, endOtherSessions, endSession]
