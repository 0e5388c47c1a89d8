/** What a journey needs besides the page: the account behind a person, its keys, and the API as a program would use it. */
import { randomInt } from 'node:crypto'
import type { Reply, SignedIn } from '../../../server/test/people-world.ts'
import type { Stage } from '../stage.ts'

/** For what happens soon, on a machine with other work to do. */
export const PATIENCE = { timeout: 60_000, interval: 250 } as const

export interface MadeKey {
  readonly id: string
  readonly secret: string
}

/** The person's own account. */
export async function accountOf(person: SignedIn): Promise<string> {
  const { json } = await person.ask('/web/session')
  return String(json.data.accounts.find(({ own }: { own: boolean }) => own).id)
}

/** Through the settings, as the page does. */
export async function askOf(person: SignedIn, path: string, body?: unknown): Promise<Reply> {
  const reply = await person.ask(path, body === undefined ? {} : { body })
  if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.text}`)
  return reply
}

export async function makeKey(person: SignedIn, name: string, more: object = {}): Promise<MadeKey> {
  const { json } = await askOf(person, `/settings/accounts/${await accountOf(person)}/keys`, {
    name,
    scopes: ['generate', 'domains:check', 'history:read', 'favorites:read', 'favorites:write', 'usage:read'],
    ...more,
  })
  return { id: String(json.data.key.id), secret: String(json.data.key.secret) }
}

/** A program somewhere else that has the key. */
export function callWith(
  stage: Stage,
  key: string,
  path: string,
  { body, method, headers }: { body?: unknown; method?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  return stage.at.visitor().ask(path, {
    ...(body === undefined ? {} : { body }),
    ...(method === undefined ? {} : { method }),
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
}

// A source that is limited at the moment makes a domain unknown; a client asks again, and so do we.
const CHECKS = 5

/** Available domains, as the service reports them. */
export async function freeDomains(stage: Stage, key: string, count: number): Promise<string[]> {
  const free: string[] = []
  for (let checks = 0; free.length < count; checks++) {
    if (checks === CHECKS) throw new Error(`after ${checks} checks only ${free.length} domains are available`)
    const domains = Array.from({ length: count * 4 }, () => `${randomLetters(9)}.com`)
    const { json } = await callWith(stage, key, '/v1/domains/check', { body: { domains, verify: 'full' } })
    const checked = json.data.domains as { domain: string; available: boolean; status?: string }[]
    const found = checked.filter(({ available, status }) => available && status !== 'premium')
    free.push(...found.map(({ domain }) => domain))
  }
  return free.slice(0, count)
}

function randomLetters(count: number): string {
  const vowels = 'aeiou'
  const others = 'bdfklmnprstvz'
  return Array.from({ length: count }, (_, at) => {
    const letters = at % 2 === 0 ? others : vowels
    return letters[randomInt(letters.length)]
  }).join('')
}
