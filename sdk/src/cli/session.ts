/**
 * From settings to a client of the service: which address, and as whom.
 *
 *   --url → NAMEWRIGHT_URL → url of the config → a service on this machine
 *   NAMEWRIGHT_API_KEY → key of the config, for this address → sign-in, for this address
 *
 * A sign-in is renewed before it ends, and once when it is refused. A refresh token may be used only once, ever: so the
 * config is locked, read again, and another command's newer token is taken over.
 */
import type { Fetch } from '../exchange.ts'
import { createNamewright } from '../namewright.ts'
import type { Namewright } from '../namewright.ts'
import { openConfig, serviceOf, withService } from './config.ts'
import type { Audience, Config, ConfigFile, Login } from './config.ts'
import { CliError, EXIT, usageError } from './exit.ts'
import { refresh } from './oauth.ts'
import { WHERE_SECRETS_GO } from './parse.ts'
import type { Invocation } from './spec.ts'

export interface Address {
  readonly url: string
  readonly from: '--url' | 'NAMEWRIGHT_URL' | 'config' | 'default'
}

export interface Identity {
  readonly kind: 'key' | 'sign-in'
  readonly from: 'NAMEWRIGHT_API_KEY' | 'config'
  /** Of a key. */
  readonly key?: string
  /** Of a sign-in. */
  readonly scope?: string
  authorization(): Promise<string>
  /** Another one after this was refused, if there is any. */
  renewed(refused: string): Promise<string | undefined>
}

export interface Session {
  readonly address: Address
  readonly identity: Identity
  readonly config: Config
  readonly client: Namewright
}

const DEFAULT_URL = 'http://127.0.0.1:8080'
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/]|$)/
// A person waits; a script that wants more patience says so.
const TIME_BUDGET_MS = 15_000
const RENEW_BEFORE_MS = 60_000

export function findAddress({ options, env }: Pick<Invocation, 'options' | 'env'>, config: Config): Address {
  const found: readonly [Address['from'], string | undefined][] = [
    ['--url', options.text('url')],
    ['NAMEWRIGHT_URL', env['NAMEWRIGHT_URL'] || undefined],
    ['config', config.url],
    ['default', DEFAULT_URL],
  ]
  const [from, text] = found.find(([, value]) => value !== undefined) ?? ['default', DEFAULT_URL]
  return { from, url: parseUrl(text ?? DEFAULT_URL, from) }
}

export function parseUrl(text: string, from: string): string {
  // Without a scheme: https, but for this very machine.
  const scheme = LOOPBACK.test(text) ? 'http' : 'https'
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw usageError(`${from} is not the address of a service: ${text}`, 'It looks like https://names.example.com.')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

export async function openSession(invocation: Invocation): Promise<Session> {
  const { options, outside, say } = invocation
  const file = openConfig(invocation.env)
  const config = await file.read()
  const address = findAddress(invocation, config)
  const identity = findIdentity(invocation, { file, config, url: address.url, audience: 'v1' })
  if (isInTheOpen(address.url))
    say(`namewright: ${address.url} is not https: whoever listens on the way can read your key.`)
  const seconds = options.number('timeout')
  const client = createNamewright({
    baseUrl: address.url,
    // What is really sent stands in `authorized`, because a sign-in is renewed between two calls.
    apiKey: 'set-by-the-command',
    fetch: authorized(outside.fetch, identity),
    timeBudgetMs: seconds === undefined ? TIME_BUDGET_MS : seconds * 1000,
    language: options.text('language') ?? config.language,
  })
  return { address, identity, config, client }
}

export function findIdentity(
  { env, outside }: Pick<Invocation, 'env' | 'outside'>,
  at: { readonly file: ConfigFile; readonly config: Config; readonly url: string; readonly audience: Audience },
): Identity {
  const { config, url, audience } = at
  const service = serviceOf(config, url)
  const fromEnv = env['NAMEWRIGHT_API_KEY']?.trim()
  const key = fromEnv || service.key
  if (key !== undefined && key !== '') {
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new CliError(EXIT.auth, 'The key has white space or other odd characters in it.')
    return {
      kind: 'key',
      from: fromEnv ? 'NAMEWRIGHT_API_KEY' : 'config',
      key,
      authorization: async () => `Bearer ${key}`,
      renewed: async () => undefined,
    }
  }
  const login = service.logins?.[audience]
  if (!login) {
    const others = Object.keys(config.services ?? {}).filter((one) => one !== url)
    const elsewhere = others.length === 0 ? '' : ` (What is kept is for ${others.join(', ')}.)`
    const how = audience === 'mcp' ? 'Set NAMEWRIGHT_API_KEY, or run “namewright login --mcp”.' : WHERE_SECRETS_GO
    throw new CliError(EXIT.auth, `There is no key for ${url}.${elsewhere}`, how)
  }
  return signedIn(login, at, outside)
}

function signedIn(
  first: Login,
  { file, url, audience }: { file: ConfigFile; url: string; audience: Audience },
  outside: Invocation['outside'],
): Identity {
  let login = first

  async function renew(): Promise<void> {
    const before = login.access_token
    await file.change(async (config) => {
      const service = serviceOf(config, url)
      const kept = service.logins?.[audience]
      // Another command has done it, or somebody has signed out.
      if (kept && kept.access_token !== before) {
        login = kept
        return config
      }
      if (!kept?.refresh_token || service.client_id === undefined)
        throw new CliError(EXIT.auth, `The sign-in to ${url} has ended.`, 'Run “namewright login” again.')
      login = await refresh(url, { clientId: service.client_id, login: kept, audience }, outside).catch(
        (error: unknown) => {
          const isRefused = error instanceof Error && error.message.startsWith('invalid_')
          throw isRefused
            ? new CliError(EXIT.auth, `The sign-in to ${url} has ended.`, 'Run “namewright login” again.')
            : error
        },
      )
      return withService(config, url, { ...service, logins: { ...service.logins, [audience]: login } })
    })
  }

  return {
    kind: 'sign-in',
    from: 'config',
    scope: login.scope,
    async authorization() {
      if (outside.now() > login.expires_at - RENEW_BEFORE_MS) await renew()
      return `Bearer ${login.access_token}`
    },
    async renewed(refused) {
      if (`Bearer ${login.access_token}` === refused) await renew()
      return `Bearer ${login.access_token}`
    },
  }
}

export function authorized(fetch: Fetch, identity: Identity): Fetch {
  return async (url, init) => {
    try {
      const authorization = await identity.authorization()
      const answer = await fetch(url, { ...init, headers: { ...init.headers, authorization } })
      if (answer.status !== 401) return answer
      const other = await identity.renewed(authorization)
      if (other === undefined) return answer
      await answer.text()
      return await fetch(url, { ...init, headers: { ...init.headers, authorization: other } })
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      // As the service would have said it: what is thrown here would count as a broken line, and be tried again.
      const refusal = {
        status: 'error',
        error: { code: 'invalid_token', message: error.message, request_id: '', docs: '' },
      }
      return new Response(JSON.stringify(refusal), { status: 401 })
    }
  }
}

function isInTheOpen(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !LOOPBACK.test(hostname)
}
