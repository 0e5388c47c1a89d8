/**
 * A world for people: a node that speaks HTTPS under a name browsers take for safe, a mail server, and visitors who
 * keep their cookies. Every visitor comes from an address of their own, so that nobody meets another's limits.
 */
import { randomInt } from 'node:crypto'
import { Agent, fetch } from 'undici'
import { makeCertificate } from './certificate.ts'
import type { Certificate } from './certificate.ts'
import { createLeaks } from './leaks.ts'
import type { Leaks } from './leaks.ts'
import { openSmtp } from './smtp-world.ts'
import type { SmtpWorld } from './smtp-world.ts'
import { freePort } from './free-port.ts'
import { sharedNode, sharing, viewOf } from './shared-world.ts'
import { openWorld } from './world.ts'
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
  /** Follows no redirect. Sends the origin of our own pages unless told another. */
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
  /** Signed up, verified by the letter, signed in. */
  signUp(name?: string): Promise<SignedIn>
  signIn(email: string, password: string): Promise<Visitor>
  /** Hears every secret that passes; see leaks.ts. */
  readonly leaks: Leaks
  /** A second node of the same service. */
  startNode(): Promise<{ url: string; node: Node }>
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

const openShared = sharing((env) => openPeopleService(env))

/** One service per test worker for all files with the same settings; see shared-world.ts. */
export async function sharePeopleWorld(env: Record<string, string> = {}): Promise<PeopleWorld> {
  return viewPeopleWorld(await openShared(env))
}

export function viewPeopleWorld(service: PeopleService): PeopleWorld {
  const { node, smtp } = service
  const world = viewOf(service.world, node)
  const earlier = smtp.letters.length
  return peopleWorldOf({
    ...service,
    world,
    node: sharedNode(node),
    smtp: {
      ...smtp,
      get letters() {
        return smtp.letters.slice(earlier)
      },
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  })
}

export async function openPeopleWorld(env: Record<string, string> = {}): Promise<PeopleWorld> {
  return peopleWorldOf(await openPeopleService(env))
}

export async function openPeopleService(env: Record<string, string> = {}): Promise<PeopleService> {
  const certificate = await makeCertificate()
  const smtp = await openSmtp()
  const port = await freePort()
  const url = `https://localhost:${port}`
  const world = await openWorld({
    ...certificate.env,
    NAMEWRIGHT_PUBLIC_URL: url,
    NAMEWRIGHT_SIGN_UP: 'open',
    NAMEWRIGHT_SMTP_URL: smtp.url,
    NAMEWRIGHT_MAIL_FROM: 'Namewright <no-reply@names.example>',
    NAMEWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    ...env,
  })
  const node = await world.startNode({ NAMEWRIGHT_PORT: String(port) })
  return {
    world,
    node,
    smtp,
    url,
    certificate,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await smtp.close()
      await certificate[Symbol.asyncDispose]()
    },
  }
}

/** Hears what passes through it, and looks for secrets where none may be when it ends. */
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
    async signUp(name = 'Ada Test') {
      const email = `person-${randomInt(1e12)}@people.example`
      const somebody = visitor()
      const signedUp = await somebody.ask('/auth/sign-up/email', { body: { email, name, password: PASSWORD } })
      if (signedUp.status !== 200) throw new Error(`sign-up: ${signedUp.status} ${signedUp.text}`)
      const letter = await smtp.waitFor(email)
      const { pathname, search } = new URL(letter.link)
      const verified = await somebody.ask(`${pathname}${search}`)
      if (verified.status >= 400) throw new Error(`verify: ${verified.status} ${verified.text}`)
      const visitorIn = await signIn(email, PASSWORD)
      const session = await visitorIn.ask('/auth/get-session')
      return { ...visitorIn, email, password: PASSWORD, userId: String(session.json.user.id) }
    },
    async startNode() {
      const other = await freePort()
      const second = await world.startNode({ NAMEWRIGHT_PORT: String(other) })
      nodes.push(second)
      return { url: `https://localhost:${other}`, node: second }
    },
    async [Symbol.asyncDispose]() {
      await agent.destroy()
      for (const letter of smtp.letters) leaks.hear(letter.text)
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
  const response = await fetch(path.startsWith('https:') ? path : `${at.url}${path}`, {
    dispatcher: at.agent,
    redirect: 'manual',
    method: method ?? (sent === undefined ? 'GET' : 'POST'),
    headers: {
      'x-forwarded-for': at.address,
      ...(sent === undefined ? {} : { 'content-type': type }),
      ...(cookie === '' ? {} : { cookie }),
      origin: at.url,
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  })
  at.leaks.hear(`${path} ${sent ?? ''}`)
  at.leaks.hear(response.headers.get('location') ?? '')
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
  at.leaks.hear(text)
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text ? JSON.parse(text) : undefined,
  }
}
