/**
 * The users of the page tests: a visitor, a new user, Ada with existing data, somebody with two-factor authentication,
 * and the operator. Each has a browser of their own, which is used again and again.
 *
 * What they have is made through the service itself; only changes of domains, for which one would have to wait, are
 * written down.
 */
import { PATIENT_SEARCHES } from '../../server/test/browser.ts'
import type { PeopleWorld, SignedIn, Visitor } from '../../server/test/people-world.ts'
import { PASSWORD } from '../../server/test/people-world.ts'
import { codeOf } from '../../server/test/totp.ts'
import { openStage } from './stage.ts'
import type { Stage, Visit } from './stage.ts'

export type Role = 'visitor' | 'newUser' | 'ada' | 'operator'

export interface Cast extends AsyncDisposable {
  readonly stage: Stage
  readonly visits: Readonly<Record<Role, Visit>>
  /** Has two-factor authentication on. */
  readonly careful: SignedIn
  /** An account with others in it, which Ada owns. */
  readonly team: string
  /** The address of a list to vote on. */
  readonly sharePath: string
}

/** What a visitor may have is small, so that it can be used up. */
const ENV = { NAMEWRIGHT_PUBLIC_ALLOWANCE: '400' }

export async function openCast(): Promise<Cast> {
  const stage = await openStage(ENV)
  try {
    const { at } = stage
    const operator = await setUp(at)
    const ada = await at.signUp('Ada Lindqvist')
    const [newUser, careful] = [await at.signUp('Bo New'), await at.signUp('Cy Careful')]
    await turnOnSecondStep(careful)
    const sharePath = await liveFor(stage, ada)
    const team = await makeTeam(at, ada, newUser)
    const visits = {
      visitor: await stage.visit(),
      newUser: await stage.visitAs(newUser),
      ada: await stage.visitAs(ada),
      operator: await stage.visitAs(operator),
    }
    await visits.visitor.context.addInitScript(PATIENT_SEARCHES)
    // A page of ours is needed before anything can be remembered for it.
    for (const { page } of Object.values(visits)) await page.goto('/robots.txt')
    const made = { careful, team, sharePath }
    return { stage, visits, ...made, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() }
  } catch (error) {
    await stage[Symbol.asyncDispose]()
    throw error
  }
}

/** By the setup link, as the operator. */
async function setUp(at: PeopleWorld): Promise<SignedIn> {
  const findLink = () => /https?:\/\/\S+\/setup\?token=[\w-]+/.exec(at.node.output())?.[0]
  while (findLink() === undefined) await new Promise((resolve) => setTimeout(resolve, 50))
  const token = new URL(findLink() ?? '').searchParams.get('token') ?? ''
  const somebody = at.visitor()
  const email = 'operator@people.example'
  await asked(somebody, '/setup', { form: { token, name: 'Olu Operator', email, password: PASSWORD } })
  return { ...somebody, email, password: PASSWORD, userId: '' }
}

async function turnOnSecondStep(person: SignedIn): Promise<void> {
  const { json } = await asked(person, '/auth/two-factor/enable', { body: { password: PASSWORD } })
  const code = () => codeOf(String(json.totpURI), -1)
  const first = await person.ask('/auth/two-factor/verify-totp', { body: { code: code() } })
  // The step may end while the code is on its way.
  if (first.status !== 200) await asked(person, '/auth/two-factor/verify-totp', { body: { code: code() } })
}

/** Searches, favorites, keys, a team and what belongs to programs. Answers where her list is voted on. */
async function liveFor({ at, url }: Stage, ada: SignedIn): Promise<string> {
  const home = `/settings/accounts/${ada.userId}`
  const pass = await asked(ada, `${home}/pass`, { body: {} })
  const headers = { authorization: `Bearer ${pass.json.data.token}` }
  const descriptions = ['a bakery that delivers by bicycle', 'quiet software for people who plant trees']
  for (const description of descriptions)
    await asked(ada, '/v1/generate', {
      headers,
      body: { description, count: 5, tlds: ['com', 'shop', 'dev'], deadline_ms: 20_000 },
    })

  const kept: string[] = []
  for (const favorite of FAVORITES) {
    const { json } = await asked(ada, '/v1/favorites', { headers, body: favorite })
    kept.push(String(json.data.favorite.id))
  }
  const change = `INSERT INTO favorite_change
    SELECT account_id, id, gen_random_uuid(), now(), 'price_changed', saved, saved || '{"price": "$31.00"}'
    FROM favorite WHERE account_id = $1 AND id = $2`
  await at.world.owner.query(change, [ada.userId, kept[0]])

  const body = { name: 'Shop, live', scopes: ['generate', 'domains:check', 'usage:read'], quota: { per_day: 1000 } }
  const made = (await asked(ada, `${home}/keys`, { body })).json.data
  await asked(ada, `${home}/keys/${made.key.id}/rotate`, { body: { grace_seconds: 86_400 } })
  const old = { authorization: `Bearer ${made.key.secret}`, 'user-agent': 'bakery-shop/1.4' }
  await asked(at.visitor(), '/v1/usage', { headers: old })
  await asked(ada, `${home}/keys`, {
    body: { name: 'Widget on the blog', scopes: ['generate', 'domains:check'], origins: ['https://blog.example'] },
  })
  await asked(ada, `${home}/clients`, {
    body: { name: 'Name helper', kind: 'public', redirect_uris: ['https://helper.example/callback'] },
  })
  const events = ['favorite.taken', 'favorite.price_changed']
  const hook = await asked(ada, `${home}/webhooks`, { body: { url: 'https://hooks.example/names', events } })
  await asked(ada, `${home}/webhooks/${hook.json.data.webhook.id}/test`, { body: {} })
  const share = await asked(ada, `${home}/shares`, { body: { title: 'Names for the bakery', favorite_ids: kept } })
  const address = String(share.json.data.share.url)
  const votes = Object.fromEntries(share.json.data.share.items.map(({ id }: { id: string }) => [id, 'up']))
  const ballot = address.replace(`${url}/r/`, '/shares/')
  const voter = { 'namewright-voter': 'AAAAAAAAAAAAAAAAAAAAAA' }
  await asked(at.visitor(), `${ballot}/votes`, { method: 'PUT', headers: voter, body: { name: 'Dee', votes } })
  return address.slice(url.length)
}

async function makeTeam(at: PeopleWorld, owner: SignedIn, member: SignedIn): Promise<string> {
  const { json } = await asked(owner, '/settings/accounts', { body: { name: 'Bicycle bakers' } })
  const team = String(json.data.account.id)
  const joins = `INSERT INTO member VALUES ($1, $2, 'member', now())`
  await at.world.owner.query(joins, [team, member.userId])
  await asked(owner, `/settings/accounts/${team}/invitations`, {
    body: { email: 'dee@people.example', role: 'viewer' },
  })
  return team
}

const FAVORITES = [
  {
    domain: 'breadwheel.com',
    name: 'Breadwheel',
    note: 'Everybody at the market got it.',
    tags: ['bakery'],
    watch: true,
  },
  { domain: 'crustcycle.shop', name: 'Crustcycle', tags: ['bakery', 'second choice'] },
  { domain: 'treehush.dev', name: 'Treehush', watch: true },
]

async function asked(visitor: Visitor, ...[path, asking]: Parameters<Visitor['ask']>) {
  const reply = await visitor.ask(path, asking)
  if (reply.status >= 400) throw new Error(`${path}: ${reply.status} ${reply.text}`)
  return reply
}

/** What all of them have written, which is in no language of the app's. */
export const WRITTEN: readonly string[] = [
  'Ada Lindqvist',
  'Bo New',
  'Cy Careful',
  'Olu Operator',
  'Dee',
  'Bicycle bakers',
  'a bakery that delivers by bicycle',
  'quiet software for people who plant trees',
  'Shop, live',
  'Widget on the blog',
  'Name helper',
  'Looked at',
  'Names for the bakery',
  'The first one is easy to say on the phone.',
  ...FAVORITES.flatMap(({ note = '', tags = [] }) => [note, ...tags]),
]
