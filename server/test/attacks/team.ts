/** A team with somebody in it who should reach less than they try to, and what such a person can do with it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountId, Role } from '../source.ts'
import { createOAuthClient, locationOf } from '../oauth-client.ts'
import type { App, OAuthClient, Tokens } from '../oauth-client.ts'
import type { PeopleWorld, Reply, SignedIn } from '../people-world.ts'

export const WEBHOOK = { url: 'https://hooks.example.com/', events: ['quota.warning'] }

export interface Team {
  readonly account: AccountId
  readonly owner: SignedIn
  readonly other: SignedIn
}

export const settings = ({ account }: Team, path: string) => `/settings/accounts/${account}${path}`
export const resultOf = ({ status, json }: Reply) => (status < 300 ? 'in' : `${status} ${json?.error?.code}`)
export const setRole = (team: Team, role: Role) =>
  team.owner.ask(settings(team, `/members/${team.other.userId}`), { method: 'PATCH', body: { role } })
export const remove = (team: Team) =>
  team.owner.ask(settings(team, `/members/${team.other.userId}`), { method: 'DELETE' })

/** A node trusts what it remembers of a credential for a second. */
export const settle = () => sleep(1_000)

export async function addWebhook(team: Team, by: SignedIn): Promise<string> {
  const reply = await by.ask(settings(team, '/webhooks'), { body: WEBHOOK })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.json.data.webhook.id
}

export async function findWebhook(team: Team, id: string) {
  const { json } = await team.owner.ask(settings(team, '/webhooks'))
  return json.data.webhooks.find((one: { id: string }) => one.id === id)
}

export async function eventsOf(team: Team, action: string) {
  const { json } = await team.owner.ask(settings(team, '/security-events?limit=100'))
  return json.data.security_events.filter((event: { action: string }) => event.action === action)
}

export interface Teams {
  readonly oauth: OAuthClient
  /** A team of two: its owner, and somebody of this role. */
  make(role: Role): Promise<Team>
  /** Tokens of an application that somebody let in, for the team. */
  consent(team: Team, by: SignedIn, app: App, scope: string): Promise<Tokens>
  call(token: string, path: string, asking?: { method?: string; body?: unknown }): Promise<Reply>
}

export function createTeams(at: PeopleWorld): Teams {
  const oauth = createOAuthClient(at)
  return {
    oauth,
    async make(role) {
      const [owner, other, account] = await Promise.all([
        at.signUp('Olga'),
        at.signUp('Mallory'),
        at.world.makeAccount(),
      ])
      const text = `INSERT INTO member VALUES ($1, $2, 'owner', now()), ($1, $3, $4, now())`
      await at.world.owner.query(text, [account, owner.userId, other.userId, role])
      return { account, owner, other }
    },
    async consent(team, by, app, scope) {
      const asked = await oauth.ask(by, app, { scope })
      const page = await oauth.page(by, locationOf(asked))
      const url = await oauth.decide(by, page, { account: team.account })
      const code = url.searchParams.get('code') ?? ''
      const reply = await oauth.redeem(app, { url, code, error: null, verifier: asked.verifier })
      if (reply.status !== 200) throw new Error(`token: ${reply.status} ${reply.text}`)
      return reply.json as Tokens
    },
    call: (token, path, asking = {}) =>
      at.visitor().ask(path, { ...asking, headers: { authorization: `Bearer ${token}` } }),
  }
}
