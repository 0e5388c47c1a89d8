/** Signing in with a browser against the real authorization server, with a process that listens on this machine. */
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createOAuthClient, locationOf, navigate } from '../../server/test/oauth-client.ts'
import type { OAuthClient } from '../../server/test/oauth-client.ts'
import { emptyRedis } from '../../server/test/redis.ts'
import { startApp } from '../../server/test/start-app.ts'
import type { PeopleWorld, SignedIn } from '../../server/test/people-world.ts'
import { openFolder, startCli } from './harness.ts'
import type { Folder, Process } from './harness.ts'

let at: PeopleWorld
let oauth: OAuthClient
let ada: SignedIn
beforeAll(async () => {
  // All tests register from the same IP address, which has a rate limit in Redis.
  at = await startApp({ people: true, own: true, settings: await emptyRedis() })
  oauth = createOAuthClient(at)
  ada = await at.signUp()
})
afterAll(() => at[Symbol.asyncDispose]())

interface Home extends Folder {
  readonly env: Readonly<Record<string, string>>
  config(): { services: Record<string, { client_id?: string; key?: string; logins?: Record<string, Login> }> }
  start(args: readonly string[]): Process
  run(args: readonly string[]): ReturnType<Process['ended']>
}

interface Login {
  access_token: string
  refresh_token: string
  expires_at: number
  scope: string
}

/** A home folder with a browser that records the URL it opens. */
function openHome(): Home {
  const folder = openFolder()
  const env = {
    HOME: folder.path,
    XDG_CONFIG_HOME: folder.path,
    NAMEWRIGHT_URL: at.url,
    NODE_EXTRA_CA_CERTS: at.certificate.caFile,
    BROWSER: makeBrowser(folder.path),
  }
  return {
    ...folder,
    env,
    config: () => JSON.parse(readFileSync(`${folder.path}/namewright/config.json`, 'utf8')),
    start: (args) => startCli(args, { env }),
    run: (args) => startCli(args, { env }).ended(),
  }
}

/** As a person with a browser. Answers the URL that the service redirects to after the decision. */
async function goTo(url = '', decision: 'allow' | 'deny' = 'allow'): Promise<URL> {
  const next = locationOf(await navigate(at, ada, url))
  if (!next.startsWith(`${at.url}/consent?`)) return new URL(next)
  return oauth.decide(ada, await oauth.page(ada, next), { decision })
}

async function signIn(home: Home, args: readonly string[] = ['login']): Promise<void> {
  const login = home.start(args)
  const url = await opened(home.path, () => login.child.exitCode !== null)
  if (url === undefined) throw new Error(`no browser was opened: ${login.stderr()}`)
  expect((await fetch(await goTo(url))).status).toBe(200)
  const ran = await login.ended()
  expect(ran.code, ran.stderr).toBe(0)
  for (const token of Object.values(home.config().services[at.url]?.logins ?? {})) {
    at.leaks.add(token.access_token)
    at.leaks.add(token.refresh_token)
  }
}

describe('namewright login', { timeout: 120_000 }, () => {
  test('opens the browser, receives the redirect on this machine, and stores the token for this service', async () => {
    using home = openHome()
    const login = home.start(['login'])
    const asked = new URL((await opened(home.path)) ?? '')
    expect(asked.origin).toBe(at.url)
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256')
    expect(asked.searchParams.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)

    // A request with a guessed state fails, and does not end the sign-in.
    const guess = new URL(`${asked.searchParams.get('redirect_uri')}?code=stolen&state=guessed`)
    expect((await fetch(guess)).status).toBe(400)
    expect((await fetch(new URL('/', guess))).status).toBe(404)

    const back = await goTo(asked.href)
    const page = await fetch(back)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('close this page')])
    const ran = await login.ended()
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toContain(`Signed in to ${at.url}. Scopes: `)
    expect(statSync(`${home.path}/namewright/config.json`).mode & 0o777).toBe(0o600)
    // The port is closed.
    await expect(fetch(back)).rejects.toThrow()

    const kept = home.config().services[at.url]?.logins?.['v1']
    expect(ran.stderr).not.toContain(kept?.access_token)
    const keys = await home.run(['keys', '--json'])
    expect(JSON.parse(keys.stdout)).toMatchObject({
      kind: 'sign-in',
      key: null,
      scopes: expect.stringContaining('generate'),
    })
    const names = await home.run(['suggest', 'a bakery', '-n', '1', '--timeout', '60', '--deadline', '20'])
    expect(names.code, names.stderr).toBe(0)
  })

  test('is renewed when it has expired, once for all concurrent commands', async () => {
    using home = openHome()
    await signIn(home)
    const before = home.config()
    const old = before.services[at.url]?.logins?.['v1']
    if (!old) throw new Error('not signed in')
    const ended = { ...old, access_token: 'nwa_not-good-any-more', expires_at: Date.now() - 1 }
    const service = { ...before.services[at.url], logins: { v1: ended } }
    writeFileSync(
      `${home.path}/namewright/config.json`,
      JSON.stringify({ ...before, services: { [at.url]: service } }),
      { mode: 0o600 },
    )
    // A second use of a refresh token revokes the sign-in, and all later commands would fail.
    const ran = await Promise.all([1, 2, 3].map(() => home.run(['usage', '--days', '1'])))
    for (const { code, stderr } of ran) expect(code, stderr).toBe(0)
    const now = home.config().services[at.url]?.logins?.['v1']
    expect(now?.refresh_token).not.toBe(old.refresh_token)
    expect((await home.run(['usage', '--days', '1'])).code).toBe(0)
    for (const one of [old, now]) for (const token of [one?.access_token, one?.refresh_token]) at.leaks.add(token ?? '')
  })

  test('that was revoked is exit code 3, at once, with a hint', async () => {
    using home = openHome()
    await signIn(home)
    const kept = home.config().services[at.url]
    const app = { id: kept?.client_id ?? '', redirectUri: '' }
    await oauth.revoke(app, kept?.logins?.['v1']?.refresh_token ?? '')
    const ran = await home.run(['usage'])
    expect(ran.code, ran.stderr).toBe(3)
    expect(ran.stderr).toMatch(
      /The sign-in to https:\/\/localhost:\d+ has expired or was revoked\.[^]*namewright login/,
    )
  })

  test('fails when the person denies access', async () => {
    using home = openHome()
    const login = home.start(['login'])
    await fetch(await goTo(await opened(home.path), 'deny'))
    const ran = await login.ended()
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('Access was denied') })
    expect(existsSync(`${home.path}/namewright/config.json`)).toBe(false)
  })

  test('without a browser accepts the pasted redirect URL, and no other', async () => {
    using home = openHome()
    const address = async (login: Process): Promise<string> => {
      await login.saw(/Redirect URL: $/)
      return /https:\/\/\S+/.exec(login.stderr())?.[0] ?? ''
    }
    const wrong = home.start(['login', '--paste'])
    const asked = new URL(await address(wrong))
    wrong.child.stdin?.end(`${asked.searchParams.get('redirect_uri')}?code=x&state=of-somebody-else\n`)
    expect(await wrong.ended()).toMatchObject({ code: 3, stderr: expect.stringContaining('another sign-in') })

    const right = home.start(['login', '--paste', '--scopes', 'usage:read'])
    right.child.stdin?.end(`${(await goTo(await address(right))).href}\n`)
    const ran = await right.ended()
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stderr).toContain('Scopes: usage:read\n')
    expect((await home.run(['usage'])).code).toBe(0)
    expect((await home.run(['history'])).code).toBe(3)
    const kept = home.config().services[at.url]?.logins?.['v1']
    for (const token of [kept?.access_token, kept?.refresh_token]) at.leaks.add(token ?? '')
  })

  test('for agents is a separate sign-in, with a token for /mcp', async () => {
    using home = openHome()
    await signIn(home, ['login', '--mcp'])
    expect((await home.run(['usage'])).code).toBe(3)
    const bridge = home.start(['mcp'])
    bridge.child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
    const ran = await bridge.ended()
    expect(ran.code, ran.stderr).toBe(0)
    expect(JSON.parse(ran.stdout).result.tools).toHaveLength(3)
  })
})

test('namewright logout revokes the tokens and removes them', { timeout: 120_000 }, async () => {
  using home = openHome()
  await signIn(home)
  const token = home.config().services[at.url]?.logins?.['v1']?.access_token ?? ''
  expect((await oauth.show(token)).status).toBe(200)
  const ran = await home.run(['logout'])
  expect(ran.code, ran.stderr).toBe(0)
  expect(home.config().services[at.url]?.logins).toBeUndefined()
  // Nodes notice a revocation within a second.
  await vi.waitUntil(async () => (await oauth.show(token)).status === 401, { timeout: 30_000 })
  expect((await home.run(['usage'])).code).toBe(3)
})

/** A program for BROWSER that records the URL it opens. */
function makeBrowser(folder: string): string {
  const path = `${folder}/browser`
  const [draft, note] = [`${folder}/opened.new`, `${folder}/opened`]
  writeFileSync(path, `#!/bin/sh\nprintf %s "$1" > "${draft}" && mv "${draft}" "${note}"\n`)
  chmodSync(path, 0o755)
  return path
}

/** Waits for the recorded URL. */
async function opened(folder: string, isOver: () => boolean = () => false): Promise<string | undefined> {
  while (!existsSync(`${folder}/opened`)) {
    if (isOver()) return undefined
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const url = readFileSync(`${folder}/opened`, 'utf8')
  rmSync(`${folder}/opened`)
  return url
}
