/**
 * `namewright login`: OAuth 2.0 authorization code with PKCE. The browser is redirected to a loopback port of this
 * machine; with `--paste` the user copies the redirect URL instead. `namewright logout` revokes the sign-in.
 */
import { randomInt } from 'node:crypto'
import { openConfig, serviceOf, withService } from '../config.ts'
import type { Audience, Login } from '../config.ts'
import { readLine } from '../confirm.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { openLoopback } from '../loopback.ts'
import { authorizationRequestOf, codeOf, findAuthority, redeem, register, revoke } from '../oauth.ts'
import type { Authority, AuthorizationRequest } from '../oauth.ts'
import { findAddress } from '../session.ts'
import type { Invocation } from '../spec.ts'

/** The scopes that the commands need, and all scopes of /mcp. */
const SCOPES: Readonly<Record<Audience, readonly string[]>> = {
  v1: [
    'generate',
    'domains:check',
    'history:read',
    'history:write',
    'favorites:read',
    'favorites:write',
    'batches:read',
    'batches:write',
    'usage:read',
  ],
  mcp: ['generate', 'domains:check', 'history:read', 'favorites:read', 'favorites:write'],
}

export async function login(invocation: Invocation): Promise<number> {
  const { options, words, env, outside, say } = invocation
  if (words.length > 0) throw usageError('login takes no arguments, only options.')
  const file = openConfig(env)
  const config = await file.read()
  const { url } = findAddress(invocation, config)
  const audience = options.flag('mcp') ? 'mcp' : 'v1'
  const scope = [...(options.list('scopes') ?? SCOPES[audience]), 'offline_access'].join(' ')
  const resource = `${url}/${audience}`
  const authority = await findAuthority(url, outside)
  const clientId = serviceOf(config, url).client_id ?? (await register(authority, outside))
  const asking = { clientId, scope, resource }
  const { code, sent } = options.flag('paste')
    ? await askByPaste(invocation, authority, asking)
    : await askInBrowser(invocation, authority, asking)
  const given = await redeem(authority, { clientId, code, sent, resource }, outside)
  await file.change((now) => {
    const service = serviceOf(now, url)
    return withService(now, url, { ...service, client_id: clientId, logins: { ...service.logins, [audience]: given } })
  })
  say(`Signed in to ${url}. Scopes: ${given.scope.replace(/ ?offline_access/, '')}`)
  if (env['NAMEWRIGHT_API_KEY'] || serviceOf(config, url).key !== undefined)
    say(
      env['NAMEWRIGHT_API_KEY']
        ? 'NAMEWRIGHT_API_KEY is also set, and takes precedence.'
        : 'An API key is also stored, and takes precedence. To remove it: namewright config unset key',
    )
  return EXIT.found
}

interface Asking {
  readonly clientId: string
  readonly scope: string
  readonly resource: string
}

async function askInBrowser({ outside, say }: Invocation, authority: Authority, asking: Asking) {
  const loopback = await openLoopback()
  try {
    const sent = authorizationRequestOf(authority, { ...asking, port: loopback.port })
    const isOpened = await outside.openBrowser(sent.url)
    say(
      isOpened
        ? 'Allow access in your browser. If it does not open, open this URL:'
        : 'Open this URL in a browser on this machine:',
    )
    say(sent.url)
    if (!isOpened) say('If this machine has no browser, press Ctrl-C and run “namewright login --paste”.')
    const returned = await loopback.wait(sent.state, outside.signal)
    return { code: codeOf(returned, sent, authority), sent }
  } finally {
    loopback.close()
  }
}

/** Nothing listens on the redirect URI: the browser shows an error, and the user copies the URL. */
async function askByPaste(
  { streams, say }: Invocation,
  authority: Authority,
  asking: Asking,
): Promise<{ code: string; sent: AuthorizationRequest }> {
  const sent = authorizationRequestOf(authority, { ...asking, port: randomInt(49_152, 65_536) })
  say('Open this URL in any browser and allow access:')
  say(sent.url)
  say('The browser then shows an error, because nothing listens at 127.0.0.1. Copy the URL that it tried to open.')
  streams.stderr.write('Redirect URL: ')
  const pasted = (await readLine(streams.stdin)).trim()
  if (!URL.canParse(pasted) || !pasted.startsWith(`${sent.redirectUri}?`))
    throw new CliError(EXIT.usage, `This is not the redirect URL, which starts with ${sent.redirectUri}?`)
  return { code: codeOf(new URL(pasted), sent, authority), sent }
}

/** Removes all credentials from the settings file, also when the service cannot revoke them. */
export async function logout(invocation: Invocation): Promise<number> {
  const { env, outside, say } = invocation
  const file = openConfig(env)
  const { url } = findAddress(invocation, await file.read())
  let logins: readonly Login[] = []
  let clientId: string | undefined
  let hadKey = false
  await file.change((config) => {
    const service = serviceOf(config, url)
    clientId = service.client_id
    logins = Object.values(service.logins ?? {}).filter((one) => one !== undefined)
    hadKey = service.key !== undefined
    return withService(config, url, {})
  })
  let isRevoked = true
  for (const one of logins) {
    await revoke(url, { clientId: clientId ?? '', login: one }, outside).catch(() => {
      isRevoked = false
    })
  }
  if (logins.length === 0 && !hadKey) say(`There was no sign-in to ${url}.`)
  else
    say(
      `Signed out of ${url}.${hadKey ? ' The stored API key was removed; it stays valid until you revoke it in the settings.' : ''}`,
    )
  if (!isRevoked) say('The service could not revoke the access: revoke it in its settings, under applications.')
  if (env['NAMEWRIGHT_API_KEY']) say('NAMEWRIGHT_API_KEY is still set.')
  return isRevoked ? EXIT.found : EXIT.upstream
}
