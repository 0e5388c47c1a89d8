/**
 * Creates the client from the settings: the URL of the service and the credentials.
 *
 *   --url → NAMEWRIGHT_URL → url in the settings → with a key or a sign-in, a service on this machine
 *   NAMEWRIGHT_API_KEY → key in the settings for this URL → sign-in for this URL
 *
 * Without any of these the engines run in this process (`local/`).
 *
 * A sign-in is renewed before it expires, and once when it is refused. A refresh token is valid for one use, so the
 * settings file is locked and read again first, and a newer token of another command is reused.
 */
import type { Fetch } from '../../sdk/src/exchange.ts'
import { createNamewright } from '../../sdk/src/namewright.ts'
import type { Namewright } from '../../sdk/src/namewright.ts'
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
  /** The key, if `kind` is `key`. */
  readonly key?: string
  /** The scopes, if `kind` is `sign-in`. */
  readonly scope?: string
  authorization(): Promise<string>
  /** A new value after this one was refused, if there is one. */
  renewed(refused: string): Promise<string | undefined>
}

export interface Asked {
  readonly config: Config
  /** What to do where domains could not be checked. */
  readonly findCause: string
  readonly client: Namewright
}

/** With a service. */
export interface Session extends Asked {
  readonly address: Address
  readonly identity: Identity
}

/** Never resolved. */
export const LOCAL_URL = 'http://namewright.invalid'
export const FIND_CAUSE = '“namewright prove” tells what this machine can find out.'
// Above every deadline.
const LOCAL_SILENCE_MS = 120_000

const DEFAULT_URL = 'http://127.0.0.1:8080'
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/]|$)/
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
  // Without a scheme: https, except for this machine.
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
    throw usageError(`${from} is not the URL of a service: ${text}`, 'Example: https://names.example.com')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Whether no service was named, and none is stored. */
export function isLocal({ options, env }: Pick<Invocation, 'options' | 'env'>, config: Config): boolean {
  if (options.flag('local')) return true
  const isNamed = options.text('url') !== undefined || Boolean(env['NAMEWRIGHT_URL']) || config.url !== undefined
  return !isNamed && !env['NAMEWRIGHT_API_KEY']?.trim() && Object.keys(config.services ?? {}).length === 0
}

/** Of a command that the engines alone can answer. */
export async function openAnySession(invocation: Invocation): Promise<Asked> {
  const config = await openConfig(invocation.env).read()
  if (!isLocal(invocation, config)) return openSession(invocation)
  const { openLocal } = await import('./local/local.ts')
  const fetch = await openLocal(invocation)
  const { options } = invocation
  const client = createNamewright({
    baseUrl: LOCAL_URL,
    apiKey: 'none',
    fetch,
    timeBudgetMs: LOCAL_SILENCE_MS,
    language: options.text('language') ?? config.language,
  })
  return { config, client, findCause: FIND_CAUSE }
}

export async function openSession(invocation: Invocation): Promise<Session> {
  const { options, outside, say } = invocation
  const file = openConfig(invocation.env)
  const config = await file.read()
  if (isLocal(invocation, config))
    throw new CliError(
      EXIT.usage,
      'This command needs a service.',
      'Set --url or NAMEWRIGHT_URL to the address of one.',
    )
  const address = findAddress(invocation, config)
  const identity = findIdentity(invocation, { file, config, url: address.url, audience: 'v1' })
  if (isUnencrypted(address.url))
    say(`namewright: ${address.url} does not use HTTPS: others on the network can read your API key.`)
  const seconds = options.number('timeout')
  let isSandboxShown = false
  const showSandbox = () => {
    if (!isSandboxShown) say('Sandbox: these domains and prices are made up.')
    isSandboxShown = true
  }
  const client = createNamewright({
    baseUrl: address.url,
    // Not sent: `authorized` sets the header, because a sign-in may be renewed between two calls.
    apiKey: 'set-by-the-command',
    fetch: authorized(outside.fetch, identity),
    timeBudgetMs: seconds === undefined ? undefined : seconds * 1000,
    language: options.text('language') ?? config.language,
    onAnswer: ({ isSandbox }) => {
      if (isSandbox) showSandbox()
    },
  })
  const findCause = 'Run `namewright-server doctor` on the server to find the cause.'
  return { address, identity, config, client, findCause }
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
      throw new CliError(EXIT.auth, 'The API key contains white space or other invalid characters.')
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
    const elsewhere = others.length === 0 ? '' : ` (There are stored credentials for ${others.join(', ')}.)`
    const how = audience === 'mcp' ? 'Set NAMEWRIGHT_API_KEY, or run “namewright login --mcp”.' : WHERE_SECRETS_GO
    throw new CliError(EXIT.auth, `No API key for ${url}.${elsewhere}`, how)
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
      // Another command has renewed it.
      if (kept && kept.access_token !== before) {
        login = kept
        return config
      }
      if (!kept?.refresh_token || service.client_id === undefined)
        throw new CliError(
          EXIT.auth,
          `The sign-in to ${url} has expired or was revoked.`,
          'Run “namewright login” again.',
        )
      login = await refresh(url, { clientId: service.client_id, login: kept, audience }, outside).catch(
        (error: unknown) => {
          const isRefused = error instanceof Error && error.message.startsWith('invalid_')
          throw isRefused
            ? new CliError(
                EXIT.auth,
                `The sign-in to ${url} has expired or was revoked.`,
                'Run “namewright login” again.',
              )
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
      // Returned as an error response of the service: a thrown error would count as a network failure and be retried.
      const refusal = {
        status: 'error',
        error: { code: 'invalid_token', message: error.message, request_id: '', docs: '' },
      }
      return new Response(JSON.stringify(refusal), { status: 401 })
    }
  }
}

function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !LOOPBACK.test(hostname)
}
