/**
 * Step-up: a person with a session proves their identity again, by password, passkey or second-factor code. The session
 * then counts as recently proved until RECENT_SECONDS have passed.
 *
 * Never: starts a session, or accepts a proof of a person other than the one who is signed in.
 */
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import { AUTH_PATH, STEP_UP_HEADER } from './conventions.ts'
import { password } from './password.ts'
import type { Person } from '../../model/person.ts'

export type StepUpProof =
  | { readonly password: string }
  | { readonly code: string }
  /** The browser's response to the challenge of `/auth/passkey/generate-authenticate-options`. */
  | { readonly passkey: object }

export interface StepUp {
  /** Whether the proof belongs to this person. */
  proveAgain(person: Person, proof: StepUpProof, headers: Headers): Promise<boolean>
}

interface StepUpOptions {
  readonly publicUrl: string
  readonly handle: (request: Request) => Promise<Response>
  readonly now: () => number
}

export function openStepUp({ run }: PeoplePool, { publicUrl, handle, now }: StepUpOptions): StepUp {
  const ask = (path: string, headers: Headers, body: object) =>
    handle(new Request(`${publicUrl}${AUTH_PATH}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))

  async function isPassword({ userId }: Person, text: string): Promise<boolean> {
    const query = `SELECT password FROM login WHERE user_id = $1 AND provider_id = 'credential'`
    const [login] = await run<{ password: string | null }>(query, [userId])
    return login?.password != null && password.verify({ hash: login.password, password: text })
  }

  async function isCode({ twoFactor }: Person, given: string, headers: Headers): Promise<boolean> {
    // Without an active second factor, a code would activate one whose setup is incomplete.
    if (!twoFactor) return false
    const code = given.replace(/\s/g, '')
    const path = /^\d{6}$/.test(code) ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code'
    return (await ask(path, headers, { code })).status === 200
  }

  /**
   * Better Auth verifies a passkey only by signing in. So this omits our session cookie and ends the new session at
   * once.
   */
  async function isPasskey({ userId }: Person, response: object, headers: Headers): Promise<boolean> {
    const challenge = new Headers(headers)
    challenge.set('cookie', withoutSession(headers.get('cookie') ?? ''))
    const answer = await ask('/passkey/verify-authentication', challenge, { response })
    if (answer.status !== 200) return false
    const { session } = (await answer.json()) as { session: { id: string; userId: string } }
    await run('DELETE FROM session WHERE id = $1', [session.id])
    return session.userId === userId
  }

  function isProved(person: Person, proof: StepUpProof, headers: Headers): Promise<boolean> {
    if ('password' in proof) return isPassword(person, proof.password)
    return 'code' in proof ? isCode(person, proof.code, headers) : isPasskey(person, proof.passkey, headers)
  }

  return {
    async proveAgain(person, proof, headers) {
      const internal = new Headers(headers)
      internal.set('content-type', 'application/json')
      internal.set(STEP_UP_HEADER, '1')
      if (!(await isProved(person, proof, internal))) return false
      await run('UPDATE session SET proved_at = $2 WHERE id = $1', [person.sessionId, new Date(now())])
      return true
    },
  }
}

function withoutSession(cookies: string): string {
  return cookies
    .split(';')
    .filter((pair) => !/session_token=/.test(pair))
    .join(';')
}
