/**
 * `namewright login`: OAuth with a code and PKCE. The browser comes back to this machine, on a port that only this
 * command knows; on a machine without a browser the person brings the address back by hand. `namewright logout` ends it.
 */
import { randomInt } from 'node:crypto'
import { openConfig, serviceOf, withService } from '../config.ts'
import type { Audience, Login } from '../config.ts'
import { readLine } from '../confirm.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { openLoopback } from '../loopback.ts'
import { codeOf, findAuthority, questionOf, redeem, register, revoke } from '../oauth.ts'
import type { Authority, Question } from '../oauth.ts'
import { findAddress } from '../session.ts'
import type { Invocation } from '../spec.ts'

/** What the commands need; /mcp has no others. */
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
  if (words.length > 0) throw usageError('login takes no words, only options.')
  const file = openConfig(env)
  const config = await file.read()
  const { url } = findAddress(invocation, config)
  const audience = options.flag('mcp') ? 'mcp' : 'v1'
  const scope = [...(options.list('scopes') ?? SCOPES[audience]), 'offline_access'].join(' ')
  const resource = `${url}/${audience}`
  const authority = await findAuthority(url, outside)
  const clientId = serviceOf(config, url).client_id ?? (await register(authority, outside))
  const asking = { clientId, scope, resource }
  const { code, question } = options.flag('paste')
    ? await askByHand(invocation, authority, asking)
    : await askInBrowser(invocation, authority, asking)
  const given = await redeem(authority, { clientId, code, question, resource }, outside)
  await file.change((now) => {
    const service = serviceOf(now, url)
    return withService(now, url, { ...service, client_id: clientId, logins: { ...service.logins, [audience]: given } })
  })
  say(`Signed in to ${url}. Allowed: ${given.scope.replace(/ ?offline_access/, '')}`)
  if (env['NAMEWRIGHT_API_KEY'] || serviceOf(config, url).key !== undefined)
    say(
      `A key is set, too, and goes before: ${env['NAMEWRIGHT_API_KEY'] ? 'NAMEWRIGHT_API_KEY' : '“namewright config unset key”'}.`,
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
    const question = questionOf(authority, { ...asking, port: loopback.port })
    const isOpened = await outside.openBrowser(question.url)
    say(
      isOpened
        ? 'Your browser asks you to allow it. If it does not, open:'
        : 'Open this address in a browser on this machine:',
    )
    say(question.url)
    if (!isOpened) say('There is none here? Stop with Ctrl-C, and use “namewright login --paste”.')
    const returned = await loopback.wait(question.state, outside.signal)
    return { code: codeOf(returned, question, authority), question }
  } finally {
    loopback.close()
  }
}

/** Nobody listens there: the browser shows an error, and the address that it could not open is what is wanted. */
async function askByHand(
  { streams, say }: Invocation,
  authority: Authority,
  asking: Asking,
): Promise<{ code: string; question: Question }> {
  const question = questionOf(authority, { ...asking, port: randomInt(49_152, 65_536) })
  say('Open this address in any browser, and allow it:')
  say(question.url)
  say('The browser then shows an error, because nobody answers at 127.0.0.1. Copy the address that it tried to open.')
  streams.stderr.write('The address: ')
  const pasted = (await readLine(streams.stdin)).trim()
  if (!URL.canParse(pasted) || !pasted.startsWith(`${question.redirectUri}?`))
    throw new CliError(EXIT.usage, `That is not the address: it begins with ${question.redirectUri}?`)
  return { code: codeOf(new URL(pasted), question, authority), question }
}

/** Here everything is forgotten, also when the service cannot be told. */
export async function logout(invocation: Invocation): Promise<number> {
  const { env, outside, say } = invocation
  const file = openConfig(env)
  const { url } = findAddress(invocation, await file.read())
  let ended: readonly Login[] = []
  let clientId: string | undefined
  let hadKey = false
  await file.change((config) => {
    const service = serviceOf(config, url)
    clientId = service.client_id
    ended = Object.values(service.logins ?? {}).filter((one) => one !== undefined)
    hadKey = service.key !== undefined
    return withService(config, url, {})
  })
  let isTold = true
  for (const one of ended) {
    await revoke(url, { clientId: clientId ?? '', login: one }, outside).catch(() => {
      isTold = false
    })
  }
  if (ended.length === 0 && !hadKey) say(`Nobody was signed in to ${url}.`)
  else
    say(
      `Signed out of ${url}.${hadKey ? ' The key was forgotten here; it is good until it is revoked in the settings.' : ''}`,
    )
  if (!isTold) say('The service could not be told: end the sign-in in its settings, under applications.')
  if (env['NAMEWRIGHT_API_KEY']) say('NAMEWRIGHT_API_KEY is still set.')
  return isTold ? EXIT.found : EXIT.upstream
}
