/**
 * A world for people: a node that speaks HTTPS under a name browsers take for safe, a mail server, and visitors who
 * keep their cookies. Every visitor comes from an address of their own, so that nobody meets another's limits.
 */
import { randomInt } from 'node:crypto'
import { Agent, fetch } from 'undici'
import { checkSettings } from './answer-check.ts'
import type { Certificate } from './certificate.ts'
import { createLeaks } from './leaks.ts'
import type { Leaks } from './leaks.ts'
import type { SmtpWorld } from './smtp-world.ts'
import { freePort } from './free-port.ts'
import type { Node, World } from './world.ts'

export interface Reply {
  readonly status: number
  readonly headers: { get(name: string): string | null; getSetCookie(): string[] }
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what the test is about
  readonly json: any
}

export interface Asking {
  readonly method?: string
  readonly body?: unknown
  readonly form?: Record<string, string> | URLSearchParams
  readonly headers?: Record<string, string>
}

/** A browser without a screen. */
export interface Visitor {
  readonly address: string
  readonly cookies: Map<string, string>
  /** Follows no redirect. Sends the origin of our own pages by default. */
  ask(path: string, asking?: Asking): Promise<Reply>
}

export interface SignedIn extends Visitor {
  readonly email: string
  readonly password: string
  readonly userId: string
}

export interface PeopleWorld extends AsyncDisposable {
  readonly world: World
  readonly node: Node
  readonly smtp: SmtpWorld
  readonly url: string
  readonly certificate: Certificate
  readonly agent: Agent
  visitor(): Visitor
  /** Signed up, and signed in by confirming the address with the link of the email and the password. */
  signUp(name?: string): Promise<SignedIn>
  signIn(email: string, password: string): Promise<Visitor>
  /** Sends the form behind the link of a confirmation email. */
  confirm(link: string, password: string, visitor?: Visitor): Promise<Reply>
  /** Records every secret that passes; see leaks.ts. */
  readonly leaks: Leaks
  /** A second node of the same service. */
  startNode(env?: Record<string, string>): Promise<{ url: string; node: Node }>
}

export const PASSWORD = 'ulna-Teak-93-moth'

/** What several files can share; each has a view of its own on it. */
export interface PeopleService extends AsyncDisposable {
  readonly world: World
  readonly node: Node
  readonly smtp: SmtpWorld
  readonly url: string
  readonly certificate: Certificate
}

/** Records what passes through it, and searches for leaked secrets when it ends. */
export function peopleWorldOf(service: PeopleService): PeopleWorld {
  const { world, node, smtp, url, certificate } = service
  const agent = new Agent({ connect: { ca: certificate.ca } })
  const leaks = createLeaks()
  const nodes = [node]

  const visitor = (): Visitor => {
    const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
    const cookies = new Map<string, string>()
    return { address, cookies, ask: (path, asking) => ask({ agent, url, address, cookies, leaks }, path, asking) }
  }

  async function signIn(email: string, password: string): Promise<Visitor> {
    const somebody = visitor()
    const reply = await somebody.ask('/auth/sign-in/email', { body: { email, password } })
    if (reply.status !== 200) throw new Error(`sign-in: ${reply.status} ${reply.text}`)
    return somebody
  }

  function confirm(link: string, password: string, from = visitor()): Promise<Reply> {
    const token = new URL(link).searchParams.get('token') ?? ''
    return from.ask('/confirm-email', { form: { token, password } })
  }

  return {
    world,
    node,
    smtp,
    url,
    certificate,
    agent,
    leaks,
    visitor,
    signIn,
    confirm,
    async signUp(name = 'Ada Test') {
      const email = `person-${randomInt(1e12)}@people.example`
      const somebody = visitor()
      const signedUp = await somebody.ask('/auth/sign-up/email', { body: { email, name, password: PASSWORD } })
      if (signedUp.status !== 200) throw new Error(`sign-up: ${signedUp.status} ${signedUp.text}`)
      const message = await smtp.waitFor(email)
      const confirmed = await confirm(message.link, PASSWORD, somebody)
      if (confirmed.status >= 400) throw new Error(`confirm: ${confirmed.status} ${confirmed.text}`)
      const session = await somebody.ask('/auth/get-session')
      return { ...somebody, email, password: PASSWORD, userId: String(session.json.user.id) }
    },
    async startNode(env = {}) {
      const other = await freePort()
      const second = await world.startNode({ ...env, NAMEWRIGHT_PORT: String(other) })
      nodes.push(second)
      return { url: `https://localhost:${other}`, node: second }
    },
    async [Symbol.asyncDispose]() {
      await agent.destroy()
      for (const message of smtp.emails) leaks.record(message.text)
      const outputs = nodes.map(({ output }) => output())
      const found = await leaks.find({
        outputs,
        databaseUrl: world.databaseUrl,
        redisUrl: world.env['NAMEWRIGHT_REDIS_URL'] ?? '',
      })
      await service[Symbol.asyncDispose]()
      if (found.length > 0) throw new Error(`secrets lie about: ${found.join(', ')}`)
    },
  }
}

async function ask(
  at: { agent: Agent; url: string; address: string; cookies: Map<string, string>; leaks: Leaks },
  path: string,
  { method, body, form, headers = {} }: Asking = {},
): Promise<Reply> {
  const sent = form ? new URLSearchParams(form).toString() : body === undefined ? undefined : JSON.stringify(body)
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  const cookie = [...at.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const way = method ?? (sent === undefined ? 'GET' : 'POST')
  const response = await fetch(path.startsWith('https:') ? path : `${at.url}${path}`, {
    dispatcher: at.agent,
    redirect: 'manual',
    method: way,
    headers: {
      'x-forwarded-for': at.address,
      ...(sent === undefined ? {} : { 'content-type': type }),
      ...(cookie === '' ? {} : { cookie }),
      origin: at.url,
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  })
  at.leaks.record(`${path} ${sent ?? ''}`)
  at.leaks.record(response.headers.get('location') ?? '')
  for (const line of response.headers.getSetCookie()) {
    // Half of it is a signature: neither half may be stored.
    if (line.includes('session_token='))
      for (const half of decodeURIComponent(line.split(';')[0]?.split('=')[1] ?? '').split('.')) at.leaks.add(half)
    const [pair = ''] = line.split(';')
    const split = pair.indexOf('=')
    const [name, value] = [pair.slice(0, split), pair.slice(split + 1)]
    if (value === '' || /max-age=0(?:;|$)/i.test(line)) at.cookies.delete(name)
    else at.cookies.set(name, value)
  }
  const text = await response.text()
  at.leaks.record(text)
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
  const reply = {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text ? JSON.parse(text) : undefined,
  }
  if (isJson) checkSettings(way, path, reply)
  return reply
}
