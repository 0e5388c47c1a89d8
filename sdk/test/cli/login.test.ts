/** Signing in with a browser against the real authorization server, through a process that listens on this machine. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { blocksOf, readPage } from '../../../server/test/docs/pages.ts'
import { createOAuthClient } from '../../../server/test/oauth-client.ts'
import type { OAuthClient } from '../../../server/test/oauth-client.ts'
import { emptyRedis } from '../../../server/test/redis.ts'
import { openPeopleWorld } from '../../../server/test/people-world.ts'
import type { PeopleWorld, SignedIn } from '../../../server/test/people-world.ts'
import { openFolder, startBlock, startCli } from './harness.ts'
import type { Folder, Process } from './harness.ts'
import { decide, makeBrowser, opened } from './person.ts'

let at: PeopleWorld
let oauth: OAuthClient
let ada: SignedIn
beforeAll(async () => {
  // Everybody here registers from the same address, which is limited, in the memory that nodes share.
  at = await openPeopleWorld(await emptyRedis())
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

/** A home whose browser writes down where it was sent. */
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

const goTo = (url: string | undefined, decision?: 'allow' | 'deny') =>
  decide({ at, oauth, person: ada }, url ?? '', decision)

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
  test('opens the browser, hears the answer on this machine, and keeps the token for this service', async () => {
    using home = openHome()
    const login = home.start(['login'])
    const asked = new URL((await opened(home.path)) ?? '')
    expect(asked.origin).toBe(at.url)
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256')
    expect(asked.searchParams.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)

    // A page in the same browser that guesses the address gets nowhere, and ends nothing.
    const guess = new URL(`${asked.searchParams.get('redirect_uri')}?code=stolen&state=guessed`)
    expect((await fetch(guess)).status).toBe(400)
    expect((await fetch(new URL('/', guess))).status).toBe(404)

    const back = await goTo(asked.href)
    const page = await fetch(back)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('close this page')])
    const ran = await login.ended()
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toContain(`Signed in to ${at.url}. Allowed: `)
    expect(statSync(`${home.path}/namewright/config.json`).mode & 0o777).toBe(0o600)
    // Nobody listens there any more.
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

  test('is renewed when it has ended, by one command for all that run at once', async () => {
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
    // A refresh token that is used twice ends everything: if two of these did, all of them would fail from then on.
    const ran = await Promise.all([1, 2, 3].map(() => home.run(['usage', '--days', '1'])))
    for (const { code, stderr } of ran) expect(code, stderr).toBe(0)
    const now = home.config().services[at.url]?.logins?.['v1']
    expect(now?.refresh_token).not.toBe(old.refresh_token)
    expect((await home.run(['usage', '--days', '1'])).code).toBe(0)
    for (const one of [old, now]) for (const token of [one?.access_token, one?.refresh_token]) at.leaks.add(token ?? '')
  })

  test('that the account has ended is exit code 3, at once, with what to do', async () => {
    using home = openHome()
    await signIn(home)
    const kept = home.config().services[at.url]
    const app = { id: kept?.client_id ?? '', redirectUri: '' }
    await oauth.revoke(app, kept?.logins?.['v1']?.refresh_token ?? '')
    const ran = await home.run(['usage'])
    expect(ran.code, ran.stderr).toBe(3)
    expect(ran.stderr).toMatch(/The sign-in to https:\/\/localhost:\d+ has ended\.[^]*namewright login/)
  })

  test('is not allowed when the person says no', async () => {
    using home = openHome()
    const login = home.start(['login'])
    await fetch(await goTo(await opened(home.path), 'deny'))
    const ran = await login.ended()
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('somebody said no') })
    expect(existsSync(`${home.path}/namewright/config.json`)).toBe(false)
  })

  test('without a browser takes the address by hand, and no other', async () => {
    using home = openHome()
    const address = async (login: Process): Promise<string> => {
      await login.saw(/The address: $/)
      return /https:\/\/\S+/.exec(login.stderr())?.[0] ?? ''
    }
    const wrong = home.start(['login', '--paste'])
    const asked = new URL(await address(wrong))
    wrong.child.stdin?.end(`${asked.searchParams.get('redirect_uri')}?code=x&state=of-somebody-else\n`)
    expect(await wrong.ended()).toMatchObject({ code: 3, stderr: expect.stringContaining('another question') })

    const right = home.start(['login', '--paste', '--scopes', 'usage:read'])
    right.child.stdin?.end(`${(await goTo(await address(right))).href}\n`)
    const ran = await right.ended()
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stderr).toContain('Allowed: usage:read\n')
    expect((await home.run(['usage'])).code).toBe(0)
    expect((await home.run(['history'])).code).toBe(3)
    const kept = home.config().services[at.url]?.logins?.['v1']
    for (const token of [kept?.access_token, kept?.refresh_token]) at.leaks.add(token ?? '')
  })

  test('for agents is a sign-in of its own, and its token is good at that door', async () => {
    using home = openHome()
    await signIn(home, ['login', '--mcp'])
    expect((await home.run(['usage'])).code).toBe(3)
    const bridge = home.start(['mcp'])
    bridge.child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
    const ran = await bridge.ended()
    expect(ran.code, ran.stderr).toBe(0)
    expect(JSON.parse(ran.stdout).result.tools).toHaveLength(5)
  })
})

test('namewright logout gives the tokens back and forgets them', { timeout: 120_000 }, async () => {
  using home = openHome()
  await signIn(home)
  const token = home.config().services[at.url]?.logins?.['v1']?.access_token ?? ''
  expect((await oauth.show(token)).status).toBe(200)
  const ran = await home.run(['logout'])
  expect(ran.code, ran.stderr).toBe(0)
  expect(home.config().services[at.url]?.logins).toBeUndefined()
  // Nodes look again within a second.
  await vi.waitUntil(async () => (await oauth.show(token)).status === 401, { timeout: 30_000 })
  expect((await home.run(['usage'])).code).toBe(3)
})

test('the example of the manual works as it stands', { timeout: 120_000 }, async () => {
  using home = openHome()
  const [block, another] = blocksOf(readPage('docs/cli.md'), 'sh').filter((one) => one.includes('namewright login'))
  expect(another).toBeUndefined()
  const example = startBlock(block ?? '', home.path, home.env)
  await fetch(await goTo(await opened(home.path, () => example.child.exitCode !== null)))
  const ran = await example.ended()
  expect(ran.code, ran.stderr).toBe(0)
  expect(ran.stderr).toContain(`Signed out of ${at.url}.`)
})
