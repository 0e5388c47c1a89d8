/**
 * What the settings answer, by shape: one walk over an account that has something of everything, with the status of each
 * route and the paths and types of the fields of its answer. Where an answer is changed on purpose,
 * `pnpm test server/test/api/settings.test.ts -u` writes `golden/settings.txt` anew.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openReceiver } from '../jobs/receiver.ts'
import type { Receiver } from '../jobs/receiver.ts'
import { LISTED_ROUTES } from '../listed-routes.ts'
import { PASSWORD } from '../people-world.ts'
import type { PeopleWorld, SignedIn, Visitor } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import { SCOPES } from './contract.ts'

const ACCOUNT = '/settings/accounts/{account}'
const SHOP = { description: 'a garden shop', count: 2 }
const ROUTES = LISTED_ROUTES.filter(({ name, access }) => name.includes(' /settings/') && access !== 'public')

const closing = new AsyncDisposableStack()
let at: PeopleWorld
let receiver: Receiver
beforeAll(async () => {
  receiver = closing.use(await openReceiver())
  at = closing.use(await startApp({ people: true, own: true, settings: { NAMEWRIGHT_WEBHOOK_ALLOW: receiver.place } }))
})
afterAll(() => closing.disposeAsync())

/** Whoever opens the setup link runs the installation. */
async function setUp(): Promise<Visitor> {
  const link = await vi.waitUntil(() => /https?:\/\/\S+\/setup\?token=[\w-]+/.exec(at.node.output())?.[0], {
    timeout: 20_000,
  })
  const operator = at.visitor()
  const token = new URL(link).searchParams.get('token') ?? ''
  const form = { token, name: 'First', email: 'first@people.example', password: PASSWORD }
  expect((await operator.ask('/setup', { form })).status).toBe(303)
  return operator
}

/** Of each field the path, with `[]` for every item of a list, and its type. */
function shapeOf(value: unknown, path = '', fields = new Map<string, Set<string>>()): Map<string, Set<string>> {
  const add = (type: string) => fields.set(path, (fields.get(path) ?? new Set()).add(type))
  if (Array.isArray(value)) {
    if (value.length === 0) add('empty')
    for (const item of value) shapeOf(item, `${path}[]`, fields)
  } else if (typeof value === 'object' && value !== null) {
    if (Object.keys(value).length === 0) add('{}')
    for (const [name, inner] of Object.entries(value)) shapeOf(inner, path === '' ? name : `${path}.${name}`, fields)
  } else if (value !== undefined) add(value === null ? 'null' : typeof value)
  return fields
}

/** Of every route that was walked, its status and the shape of its answers together. */
function openWalk() {
  const seen = new Map<string, { status: number; fields: Map<string, Set<string>> }>()
  return {
    take: async (who: Visitor, route: string, { params = [], body, query = '', only }: Step = {}) => {
      const [method = '', template = ''] = route.split(' ')
      const left = [...params]
      const path = template.replaceAll(/\{\w+\}/g, () => left.shift() ?? '')
      const reply = await who.ask(`${path}${query}`, { method, ...(body === undefined ? {} : { body }) })
      expect(reply.status, `${route}: ${reply.text}`).toBeLessThan(300)
      const { fields } = seen.get(route) ?? { fields: new Map<string, Set<string>>() }
      seen.set(route, {
        status: reply.status,
        fields: shapeOf(only ? { ...reply.json, data: only(reply.json.data) } : reply.json, '', fields),
      })
      return reply.json?.data
    },
    routes: () => [...seen.keys()],
    text: () =>
      [...seen]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([route, { status, fields }]) => {
          const lines = [...fields].map(([path, types]) => `  ${path}: ${[...types].toSorted().join(' | ')}`)
          return [`${route} ${status}`, ...lines.toSorted()].join('\n')
        })
        .join('\n\n'),
  }
}

interface Step {
  readonly params?: readonly string[]
  readonly body?: unknown
  readonly query?: string
  /** The part of the data whose shape is the same every time. */
  readonly only?: (data: { sources: { kind: string; state: string }[] }) => unknown
}

test('every route of the settings answers as the file says', async () => {
  const { take, routes, text } = openWalk()
  const operator = await setUp()
  const owner = await at.signUp('Owner')
  const guest = await at.signUp('Guest')
  const { id: account } = (await take(owner, 'POST /settings/accounts', { body: { name: 'team' } })).account
  const inside = (route: string, step: Step = {}, who: Visitor = owner) =>
    take(who, route.replace(' ', ` ${ACCOUNT}`).replace(/\/$/, ''), {
      ...step,
      params: [account, ...(step.params ?? [])],
    })

  await inside('POST /invitations', { body: { email: guest.email, role: 'member' } })
  const { link } = await at.smtp.waitFor(guest.email, 2)
  const token = new URL(link).searchParams.get('token') ?? ''
  await take(guest, 'POST /settings/invitations/accept', { body: { token } })
  const endings = await walkAccount(inside, account, guest)
  // The export of an account that nobody else belongs to has everything of it.
  await inside('DELETE /members/{user}', { params: [guest.userId] })
  await walkOwn(take, owner)
  await walkOperator(take, operator, account)
  for (const [route, id] of endings) await inside(route, { params: [id] })
  await inside('DELETE /')
  await take(guest, 'DELETE /settings/me')
  expect(routes().toSorted()).toEqual(ROUTES.map(({ name }) => name).toSorted())
  await expect(`${text()}\n`).toMatchFileSnapshot('golden/settings.txt')
})

// oxlint-disable-next-line typescript/no-explicit-any -- the data of an answer, as it came
type Take = (who: Visitor, route: string, step?: Step) => Promise<any>
// oxlint-disable-next-line typescript/no-explicit-any -- the data of an answer, as it came
type TakeInside = (route: string, step?: Step, who?: Visitor) => Promise<any>

/** Returns what is left to delete. */
async function walkAccount(
  inside: TakeInside,
  account: string,
  guest: SignedIn,
): Promise<[route: string, id: string][]> {
  await inside('PATCH /', { body: { name: 'our team', language: 'de', currency: 'USD', history_days: 30 } })
  await inside('PUT /change-emails', { body: { is_on: true } })

  await inside('POST /invitations', { body: { email: 'nobody@people.example', role: 'viewer' } })
  const { invitations } = await inside('GET /invitations')

  const allowed = { quota: { per_minute: 600, burst: 60, per_day: 500, per_month: null }, allowed_ips: ['0.0.0.0/0'] }
  const expires = { expires_at: '2100-01-31T00:00:00Z' }
  const { key } = await inside('POST /keys', { body: { name: 'server', scopes: SCOPES, ...allowed, ...expires } })
  await inside('POST /keys', { body: { name: 'page', scopes: ['generate'], origins: ['https://shop.example'] } })
  const use = async (path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key.secret}` }
    const reply = await at.visitor().ask(path, { headers, ...(body === undefined ? {} : { body }) })
    expect(reply.status, reply.text).toBeLessThan(300)
    return reply.json.data
  }
  const generated = await use('/v1/generate', { ...SHOP, tlds: ['com'], seed: 1, deadline_ms: 30_000 })
  const { domain } = generated.suggestions[0].domains[0]
  // The second time from the cache.
  const { favorite } = await use('/v1/favorites', { domain, note: 'ours', tags: ['short'], watch: true })
  await use('/v1/batches', { requests: [SHOP, {}] })
  await inside('PATCH /keys/{id}', { params: [key.id], body: { name: 'renamed' } })
  await inside('POST /keys/{id}/rotate', { params: [key.id], body: { grace_seconds: 600 } })
  // A node writes these counts every ten seconds.
  for (const text of [
    `INSERT INTO retiring_use SELECT account_id, key_id, prefix, '192.0.2.1', 'curl', 3, now() FROM key_secret
     WHERE account_id = $1 AND key_id = $2 AND expires_at IS NOT NULL`,
    `INSERT INTO key_traffic VALUES ($1, $2, now()::date, 'GET /v1/usage', 3, 1)`,
    'INSERT INTO key_review VALUES ($1, $2, now())',
  ]) {
    await at.world.owner.query(text, [account, key.id])
  }
  await inside('GET /keys/{id}/retiring', { params: [key.id] })
  await inside('GET /keys')
  await inside('POST /keys/{id}/keep', { params: [key.id] })
  await inside('GET /usage')

  const application = { name: 'robot', kind: 'confidential', redirect_uris: ['https://app.example/callback'] }
  const { client } = await inside('POST /clients', { body: { ...application, own_scopes: ['generate'] } })
  await inside('GET /clients')
  await inside('PATCH /clients/{id}', { params: [client.client_id], body: { name: 'renamed' } })
  await inside('POST /clients/{id}/rotate', { params: [client.client_id] })
  await inside('POST /pass')
  const { grants } = await inside('GET /grants')
  const grant = grants.find(({ client_id: id }: { client_id: string }) => id === client.client_id)
  await inside('PATCH /grants/{id}', { params: [grant.id], body: { quota: { burst: 5 } } })
  await inside('PUT /applications/rules', { body: { client_id: client.client_id, decision: 'allowed' } })
  await inside('PATCH /applications', { body: { policy: 'any' } })
  await inside('GET /applications')

  const { webhook } = await inside('POST /webhooks', { body: { url: receiver.url, events: ['quota.warning'] } })
  const ofWebhook = { params: [webhook.id] }
  await inside('PATCH /webhooks/{id}', { ...ofWebhook, body: { description: 'ours' } })
  await inside('GET /webhooks')
  await inside('POST /webhooks/{id}/rotate-secret', { ...ofWebhook, body: {} })
  const { delivery } = await inside('POST /webhooks/{id}/test', ofWebhook)
  await inside('GET /webhooks/{id}/deliveries', ofWebhook)
  await inside('POST /webhooks/{id}/deliveries/{delivery}/replay', { params: [webhook.id, delivery.id] })

  const shown = { title: 'Which one?', message: 'Please vote.', favorite_ids: [favorite.id] }
  const { share } = await inside('POST /shares', { body: shown })
  const votes = `${new URL(share.url).pathname.replace('/r/', '/shares/')}/votes`
  const ballot = { name: 'Ada', votes: { [share.items[0].id]: 'up' } }
  const headers = { 'namewright-voter': 'a'.repeat(22) }
  expect((await at.visitor().ask(votes, { method: 'PUT', headers, body: ballot })).status).toBe(200)
  await inside('GET /shares')

  await inside('GET /members')
  await inside('PATCH /members/{user}', { params: [guest.userId], body: { role: 'admin' } })
  await inside('GET /')
  await inside('GET /security-events', { query: '?limit=100' })
  return [
    ['DELETE /invitations/{id}', invitations[0].id],
    ['DELETE /shares/{id}', share.id],
    ['DELETE /webhooks/{id}', webhook.id],
    ['DELETE /grants/{id}', grant.id],
    ['DELETE /clients/{id}', client.client_id],
    ['DELETE /keys/{id}', key.id],
  ]
}

async function walkOwn(take: Take, owner: SignedIn): Promise<void> {
  await take(owner, 'PATCH /settings/me', { body: { name: 'Ada', language: 'de' } })
  await take(owner, 'GET /settings/me/step-up')
  await take(owner, 'POST /settings/me/step-up', { body: { password: owner.password } })
  await take(owner, 'GET /settings/me')
  await at.signIn(owner.email, owner.password)
  const { sessions } = await take(owner, 'GET /settings/me/sessions')
  const other = sessions.find(({ current }: { current: boolean }) => !current)
  await take(owner, 'DELETE /settings/me/sessions/{id}', { params: [other.id] })
  await take(owner, 'DELETE /settings/me/sessions')
  await take(owner, 'GET /settings/me/export')
  await take(owner, 'POST /settings/me/email', { body: { email: 'moved@people.example' } })
}

async function walkOperator(take: Take, operator: Visitor, account: string): Promise<void> {
  // What a source answered, and when, depends on the moment; the caches were asked for the same domain twice.
  await take(operator, 'GET /settings/operator/sources', {
    only: ({ sources }) => ({ sources: sources.filter(({ kind, state }) => kind === 'cache' || state === 'off') }),
  })
  const params = [account]
  await take(operator, 'PUT /settings/operator/accounts/{id}/limits', { params, body: { keys: 50 } })
  await take(operator, 'POST /settings/operator/accounts/{id}/suspend', { params, body: { reason: 'a test' } })
  await take(operator, 'GET /settings/operator/accounts')
  await take(operator, 'POST /settings/operator/accounts/{id}/resume', { params })
}
