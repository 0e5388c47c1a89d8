/** The command without a service, against a simulated internet: what it says, never says, and does when things fail. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { Server } from 'node:http'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createSocket } from 'node:dgram'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCommandInternet } from '../../server/test/internet/command-internet.ts'
import type { CommandInternet } from '../../server/test/internet/command-internet.ts'
import { openModelServer } from '../../server/test/internet/model-server.ts'
import { readKnownDomains } from '../src/prove.ts'
import { openFolder, runCli, startCli } from './harness.ts'
import type { Ran, Running } from './harness.ts'

const KNOWN = new Set(readKnownDomains().map(({ domain }) => domain))
// Who can prove .com and not .de; the registry of .de is not on this internet, and would be waited for.
const QUICK = ['--sources', 'registrar,dns']
const NOBODY = '127.0.0.1:1'
const NOTICE = /^No service: this command looks domains up itself\. The names go to /

let net: CommandInternet
const closing = new AsyncDisposableStack()
beforeAll(async () => {
  net = closing.use(
    await openCommandInternet({ isRegistered: (domain) => KNOWN.has(domain) || domain.startsWith('taken') }),
  )
})
afterAll(() => closing.disposeAsync())

/** In a home of its own unless `env` says another, so that no test reads what another has kept. */
async function local(args: readonly string[], { env, ...running }: Running = {}): Promise<Ran> {
  using folder = openFolder()
  return runCli(args, { ...running, env: { HOME: folder.path, ...net.env, ...env } })
}

const routesTo = (address: string) =>
  (net.env['NAMEWRIGHT_OUTBOUND_ROUTES'] ?? '').replaceAll(/127\.0\.0\.1:\d+/g, address)

const closed = () => ({ NAMEWRIGHT_DNS_RESOLVERS: NOBODY, NAMEWRIGHT_OUTBOUND_ROUTES: routesTo(NOBODY) })

/** Takes packets and connections, and never answers. */
async function openHole() {
  const tcp = createServer()
  await new Promise<void>((listening) => tcp.listen(0, '127.0.0.1', listening))
  const udp = createSocket('udp4')
  await new Promise<void>((bound) => udp.bind(0, '127.0.0.1', bound))
  closing.defer(() => void tcp.close())
  closing.defer(() => void udp.close())
  return { udp: `127.0.0.1:${udp.address().port}`, tcp: `127.0.0.1:${(tcp.address() as AddressInfo).port}` }
}

interface Row {
  readonly domain: string
  readonly available: boolean
  readonly status: string
  readonly register_url?: string
}

describe('who is asked', () => {
  test('the first line says that no service is asked and who gets the names, and no service is asked', async () => {
    const fetch = () => Promise.reject(new Error('somebody was asked'))
    const ran = await local(['check', 'crumbfolk', '--tlds', 'com'], { outside: { fetch } })
    expect(ran.stderr.split('\n')[0]).toBe(
      'No service: this command looks domains up itself. The names go to the registrar Vercel, registries and your DNS resolver.',
    )
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^crumbfolk\.com\tfree\t\$11\.25/) })
  })

  test('the first line names only the sources that are asked, and whoever else gets the names', async () => {
    const env = closed()
    const noticeOf = async (...args: string[]) => (await local(args, { env })).stderr.split('\n')[0] ?? ''
    expect(await noticeOf('check', 'a.com', '--sources', 'rdap,dns')).toMatch(
      /go to registries and your DNS resolver\.$/,
    )
    expect(await noticeOf('name', 'crumbfolk')).toMatch(/resolver, package registries and code hosts\.$/)
    expect(await noticeOf('name', 'crumbfolk', '--include', 'links')).toMatch(/and your DNS resolver\.$/)
    expect(await noticeOf('suggest', 'a bakery', '--handles')).toMatch(/package registries and code hosts\.$/)
  })

  test('a service that is set is asked, unless --local says otherwise', async () => {
    const asked: string[] = []
    const fetch = async (url: string) => {
      asked.push(url)
      return new Response('{}', { status: 404 })
    }
    const env = { NAMEWRIGHT_URL: 'http://127.0.0.1:9', NAMEWRIGHT_API_KEY: 'nw_key' }
    const there = await local(['check', 'crumbfolk.com'], { env, outside: { fetch } })
    expect(there.stderr).not.toMatch(NOTICE)
    expect(asked).toEqual(['http://127.0.0.1:9/v1/domains/check'])
    const here = await local(['check', 'crumbfolk.com', '--local'], { env, outside: { fetch } })
    expect(here).toMatchObject({ code: 0, stderr: expect.stringMatching(NOTICE) })
    expect(asked).toHaveLength(1)
  })

  test.each(['favorites', 'history', 'usage', 'batch status', 'webhooks', 'keys', 'status'])(
    '%s says that it needs a service, and what to do',
    async (command) => {
      const ran = await local(command.split(' '))
      expect(ran).toEqual({
        code: 2,
        stdout: '',
        stderr: 'namewright: This command needs a service.\n  Set --url or NAMEWRIGHT_URL to the address of one.\n',
      })
    },
  )
})

describe('check', () => {
  test('takes names, domains and lists, mixed, also from standard input', async () => {
    const mixed = await local(['check', 'crumbfolk', 'taken-bakery.de', '--tlds', 'com,shop', '--ndjson'])
    expect(rowsOf(mixed).map(({ domain, status }) => `${domain} ${status}`)).toEqual([
      'crumbfolk.com available',
      'crumbfolk.shop available',
      'taken-bakery.de taken',
    ])
    const stdin = '# ours\ncrumbfolk\ntaken-bakery.io, taken-bakery.net\n'
    const piped = await local(['check', '--stdin', '--tlds', 'com', '--ndjson'], { stdin })
    expect(rowsOf(piped).map(({ domain }) => domain)).toEqual(['crumbfolk.com', 'taken-bakery.io', 'taken-bakery.net'])
    expect([mixed.code, piped.code]).toEqual([0, 0])
  })

  test('looks a suffix without a price up, and names the nearest of one that does not exist', async () => {
    const ran = await local(['check', 'taken-bakery.gal', 'crumbfolk.cmo', '--ndjson'])
    expect(rowsOf(ran)).toMatchObject([{ status: 'taken' }, { status: 'unsupported' }])
    expect(ran.stderr).toContain('crumbfolk.cmo: did you mean crumbfolk.com?')
  })

  const FORMATS = ['plain', '--json', '--ndjson', '--csv', '--md']
  test.each(FORMATS)('what nobody can prove is unproven, with a link and never available: %s', async (name) => {
    const format = name === 'plain' ? [] : [name]
    const ran = await local(['check', 'crumbfolk.com', 'crumbfolk.de', ...QUICK, ...format])
    const line = ran.stdout.split('\n').find((one) => one.includes('crumbfolk.de') || one.includes('unproven')) ?? ''
    if (format[0] === '--json') {
      const [proved, unproven] = JSON.parse(ran.stdout) as Row[]
      expect(proved).toMatchObject({ available: true, status: 'available' })
      expect(unproven).toMatchObject({
        available: false,
        status: 'unproven',
        register_url: expect.stringMatching(LINK),
      })
      expect(unproven).not.toHaveProperty('confidence')
    } else {
      expect(line).toContain('unproven')
      expect(line).not.toMatch(/available":true|,true,|free/)
      if (format.length > 0) expect(line).toMatch(LINK)
    }
  })

  test('a table on a terminal lists where to confirm what is unproven', async () => {
    let table = ''
    const stdout = { isTTY: true, columns: 80, write: (text: string) => void (table += text) }
    const ran = await local(['check', 'crumbfolk.de', 'crumbfolk.com', ...QUICK], { stdout })
    expect(table).toMatch(/crumbfolk\.de +.\[33m\? unproven/)
    expect(ran.stderr).toContain('crumbfolk.de: https://porkbun.com/')
    expect(ran.stderr).toContain('Register crumbfolk.com at Porkbun: https://porkbun.com/')
  })
})

const LINK = /https:\/\/porkbun\.com\/checkout\/search\?q=crumbfolk\.de/

function rowsOf({ stdout }: Ran): Row[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
}

describe('candidates', () => {
  test('one of which no record was found is unproven, with a link, and one that is taken is taken', async () => {
    const args = ['suggest', 'a bakery', '--candidates', '-', '--tlds', 'de', ...QUICK]
    const stdin = 'Crumbfolk\ntaken bakery\n'
    const { code, stdout, stderr } = await local([...args, '--json'], { stdin })
    const { suggestions, rejected } = JSON.parse(stdout) as { suggestions: unknown[]; rejected: unknown[] }
    expect(suggestions).toEqual([])
    expect(rejected).toEqual([
      expect.objectContaining({
        name: 'Crumbfolk',
        reason: 'unproven',
        domain: 'crumbfolk.de',
        register_url: expect.stringMatching(LINK),
      }),
      expect.objectContaining({ name: 'taken bakery', reason: 'taken' }),
    ])
    expect(stderr).toMatch(/Crumbfolk: unproven: no record found; confirm at Porkbun: https:\/\/porkbun\.com/)
    expect(code).toBe(5)
  })

  test('are read from a file, and an empty or missing one is an error', async () => {
    using folder = openFolder()
    const path = `${folder.path}/names.txt`
    writeFileSync(path, 'Crumbfolk\n\n  taken one  \n')
    const ran = await local(['suggest', 'a bakery', '--candidates', path, '--tlds', 'com', '--max-price', '12'])
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^crumbfolk\.com\tfree/) })
    writeFileSync(path, '\n')
    expect(await local(['suggest', 'a bakery', '--candidates', path])).toMatchObject({ code: 2, stdout: '' })
    expect(await local(['suggest', 'a bakery', '--candidates', `${path}.no`])).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('without a network', () => {
  test('names are made, and each is not looked up', async () => {
    const ran = await local(['a bakery', '--count', '3', '--tlds', 'com,de', '--ndjson'], { env: closed() })
    expect(ran.code).toBe(6)
    const domains = ran.stdout
      .trimEnd()
      .split('\n')
      .flatMap((line) => (JSON.parse(line) as { domains: Row[] }).domains)
    expect(domains).toHaveLength(6)
    for (const one of domains) expect(one).toMatchObject({ available: false, status: 'not_looked_up' })
    expect(ran.stderr.split('\n').slice(1)).toEqual(['There is no network, so nothing was looked up.', ''])
  })

  test.each([
    ['check', 'crumbfolk', 'taken', '--tlds', 'com'],
    ['suggest', 'a bakery', '--candidates', '-', '--tlds', 'com'],
    ['name', 'crumbfolk', '--tlds', 'com'],
  ])('%s says of each domain that it was not looked up', async (...args) => {
    for (const format of [[], ['--csv'], ['--md']]) {
      const ran = await local([...args, ...format], { env: closed(), stdin: 'crumbfolk' })
      expect(ran).toMatchObject({ code: 6, stderr: expect.stringContaining('There is no network') })
      expect(ran.stdout).toMatch(/crumbfolk\.com[^]*not looked up/)
      expect(ran.stdout).not.toMatch(/free|,true,/)
    }
  })

  // A connection that nobody takes ends after five seconds, and a look at every source after ten.
  test('a resolver and a registrar that swallow everything hold nobody up', async () => {
    const hole = await openHole()
    const env = { NAMEWRIGHT_DNS_RESOLVERS: hole.udp, NAMEWRIGHT_OUTBOUND_ROUTES: routesTo(hole.tcp) }
    const startedAt = performance.now()
    const ran = await local(['check', 'crumbfolk.com'], { env })
    expect(ran).toMatchObject({ code: 6, stdout: expect.stringContaining('not looked up') })
    expect(performance.now() - startedAt).toBeLessThan(4_500)
  })

  test('a resolver that swallows everything is said, and the registrar still decides', async () => {
    const { udp } = await openHole()
    const ran = await local(['check', 'crumbfolk.com'], { env: { NAMEWRIGHT_DNS_RESOLVERS: udp } })
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('No DNS resolver answers') })
  })
})

describe('time', () => {
  test.each(['--deadline', '--timeout'])('%s ends the lookups, and what is not known is no guess', async (option) => {
    net.registrar.be('held')
    try {
      const ran = await local(['check', 'crumbfolk.com', 'taken.com', option, '2', '--ndjson'])
      expect(rowsOf(ran)).toMatchObject([{ available: false }, { available: false, status: 'taken' }])
      expect(rowsOf(ran)[0]?.status).toMatch(/^(?:unproven|unknown)$/)
      expect(ran.code).toBe(5)
    } finally {
      net.registrar.be('well')
    }
  })

  test('Ctrl-C ends at once and leaves the kept lookups readable', async () => {
    using folder = openFolder()
    const env = { HOME: folder.path, ...net.env }
    expect((await local(['check', 'taken.com'], { env })).code).toBe(1)
    net.registrar.be('held')
    try {
      const before = net.registrar.requests.length
      const command = startCli(['check', 'taken.com', 'crumbfolk.com'], { env })
      await expect.poll(() => net.registrar.requests.length).toBeGreaterThan(before)
      command.child.kill('SIGINT')
      expect(await command.ended()).toMatchObject({
        code: 130,
        stdout: '',
        stderr: expect.stringMatching(/stopped\n$/),
      })
    } finally {
      net.registrar.be('well')
    }
    const kept = readFileSync(`${folder.path}/.cache/namewright/lookups.json`, 'utf8')
    expect(kept).toContain('taken.com')
    expect(() => JSON.parse(kept) as unknown).not.toThrow()
  })

  test('a reader that closes the pipe ends the command', async () => {
    using folder = openFolder()
    const command = startCli(['check', 'crumbfolk.com'], { env: { HOME: folder.path, ...net.env } })
    command.child.stdout?.destroy()
    expect((await command.ended()).code).toBe(141)
  })
})

describe('a language model', () => {
  const KEY = 'sk-a-secret-key'
  const ask = (kind: string, env: Readonly<Record<string, string>>, ...more: string[]) =>
    local(['a bakery', '--count', '3', '--tlds', 'com', '--model', `${kind}:some-model`, ...more], { env })

  test.each(['ollama', 'openai-compatible', 'anthropic'])(
    '%s by its usual variables gives the first names',
    async (kind) => {
      await using model = await openModelServer(kind === 'ollama' ? undefined : KEY)
      model.reply = { names: ['Torstall', 'Takenly', 'Kneadnook'] }
      const env = {
        OLLAMA_HOST: new URL(model.url).host,
        OPENAI_BASE_URL: model.url,
        OPENAI_API_KEY: KEY,
        ANTHROPIC_BASE_URL: new URL(model.url).origin,
        ANTHROPIC_API_KEY: KEY,
      }
      const ran = await ask(kind, env)
      expect(ran.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
        'torstall.com',
        'kneadnook.com',
        expect.stringMatching(/\.com$/),
        '',
      ])
      expect(ran.stderr).toBe(`${ran.stderr.split('\n')[0]}\n`)
      expect(ran.stderr).toContain(`The description goes to ${kind}:some-model.`)
      expect(model.asked).not.toHaveLength(0)
    },
  )

  test('a failure leaves the built-in names, with one line, and nothing shows the key', async () => {
    await using model = await openModelServer(KEY)
    const wrong = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-wrong-key' }
    const right = { ...wrong, OPENAI_API_KEY: KEY }
    const refused = await ask('openai-compatible', wrong, '--json')
    model.reply = { text: 'I am sorry, I cannot. \x1b[31m {"names": [' }
    const garbage = await ask('openai-compatible', right)
    model.reply = { silent: true }
    const silent = await ask('openai-compatible', right, '--deadline', '6')
    for (const ran of [refused, garbage, silent]) {
      expect(ran.code).toBe(0)
      expect(ran.stderr.split('\n').slice(1)).toEqual([
        expect.stringMatching(/^openai-compatible:some-model gave no names \(.+\): these are built-in ones\.$/),
        '',
      ])
      expect(ran.stdout + ran.stderr).not.toContain('sk-')
      expect(ran.stdout + ran.stderr).not.toContain('\x1b')
    }
  })

  test.each([
    'http://user:pa55word@127.0.0.1:1/v1',
    'ftp://user:pa55word@127.0.0.1/v1',
    'user:pa55word@127.0.0.1',
    'http://127.0.0.1/?key=pa55word',
    'http://[pa55word',
  ])('an address that is none is refused without its password: %s', async (url) => {
    const ran = await ask('openai-compatible', { OPENAI_BASE_URL: url, OPENAI_API_KEY: KEY })
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('OPENAI_BASE_URL must be') })
    expect(ran.stderr).not.toMatch(/pa55word|sk-/)
  })

  test('names with control characters and formulas reach neither terminal nor spreadsheet', async () => {
    await using model = await openModelServer()
    model.reply = {
      names: ['Good\x1b[2J\x9b31mName', '=HYPERLINK("x")', 'Bread\u202eLoaf', '@Ovenmoss', '|Kneadnook`'],
    }
    const env = { OLLAMA_HOST: model.url }
    for (const format of ['--csv', '--md', '--json']) {
      const ran = await ask('ollama', env, format)
      expect(ran.code).toBe(0)
      // oxlint-disable-next-line no-control-regex -- that is what it is about
      expect(ran.stdout + ran.stderr).not.toMatch(/[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e]/)
      expect(ran.stdout).not.toMatch(/(?:^|,)"?[=@]/m)
    }
  })
})

describe('a proxy', () => {
  let proxy: Server
  let targets: string[]
  beforeAll(async () => {
    const places = new Map(
      (net.env['NAMEWRIGHT_OUTBOUND_ROUTES'] ?? '').split(',').map((one) => one.split('=') as [string, string]),
    )
    proxy = createHttpServer()
    proxy.on('connect', ({ url = '', headers }, socket) => {
      targets.push(url)
      socket.on('error', () => {})
      const isKnown = headers['proxy-authorization'] === `Basic ${btoa('user:pa55word')}`
      if (!isKnown) {
        socket.end('HTTP/1.1 407 No\r\n\r\n')
        return
      }
      const [host = '', port = ''] = (places.get(url.replace(/:443$/, '')) ?? NOBODY).split(':')
      const target = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        target.pipe(socket).pipe(target)
      })
      target.on('error', () => socket.destroy())
    })
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
    closing.defer(() => void proxy.close())
  })
  const through = (user: string, more: Readonly<Record<string, string>> = {}) => {
    targets = []
    const address = `http://${user}@127.0.0.1:${(proxy.address() as AddressInfo).port}`
    return local(['check', 'crumbfolk.com', 'taken.com'], {
      env: { NAMEWRIGHT_OUTBOUND_ROUTES: '', HTTPS_PROXY: address, ...more },
    })
  }

  test('is used for everything over HTTPS, except by NO_PROXY', async () => {
    expect(await through('user:pa55word')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('crumbfolk.com\tfree'),
    })
    expect(targets).toContain('api.vercel.com:443')
    await through('user:pa55word', {
      NO_PROXY: '*',
      NAMEWRIGHT_OUTBOUND_ROUTES: net.env['NAMEWRIGHT_OUTBOUND_ROUTES'] ?? '',
    })
    expect(targets).toEqual([])
  })

  test('is enough where no resolver answers, which is said', async () => {
    const ran = await through('user:pa55word', { NAMEWRIGHT_DNS_RESOLVERS: (await openHole()).udp })
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('crumbfolk.com\tfree') })
    expect(ran.stderr).toContain('No DNS resolver answers')
  })

  test('that refuses is named in one sentence, without the password', async () => {
    const refused = await through('user:pa55w0rd')
    expect(refused.stderr.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^The proxy in HTTPS_PROXY wants credentials/),
      '',
    ])
    const nowhere = await through('x', { HTTPS_PROXY: `http://user:pa55w0rd@${NOBODY}` })
    expect(nowhere.stderr.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^The proxy in HTTPS_PROXY does not connect/),
      '',
    ])
    const broken = await through('x', { HTTPS_PROXY: 'socks5://user:pa55w0rd@127.0.0.1' })
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('HTTPS_PROXY is not the address') })
    for (const { stdout, stderr } of [refused, nowhere, broken]) {
      expect(stdout + stderr).not.toContain('pa55w0rd')
      expect(stdout).not.toContain('crumbfolk.com\tfree')
    }
  })
})

test('a folder that cannot hold the lookups costs one sentence, and nothing else', async () => {
  using folder = openFolder()
  const file = `${folder.path}/file`
  writeFileSync(file, '')
  for (const path of [file, `${file}/below`, '/proc/nowhere/namewright']) {
    const ran = await local(['check', 'crumbfolk.com', 'taken.com'], { env: { NAMEWRIGHT_CACHE_DIR: path } })
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('crumbfolk.com\tfree') })
    expect(ran.stderr.split('\n').slice(1)).toEqual([
      expect.stringMatching(/so nothing is kept for the next command/),
      '',
    ])
  }
})

describe('prove', () => {
  interface Report {
    readonly seed: string
    readonly checked: number
    readonly right: number
    readonly wrongAvailable: number
    readonly wrongTaken: number
  }
  const proofOf = ({ stdout }: Ran) => JSON.parse(stdout) as Report

  test('finds nothing wrong on an honest internet, and the seed makes the same domains again', async () => {
    const ran = await local(['prove', '--json'])
    const report = proofOf(ran)
    expect(report).toMatchObject({ checked: 60, wrongAvailable: 0, wrongTaken: 0 })
    expect(report.right).toBeGreaterThan(40)
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining(`of the seed ${report.seed}.`) })
    const again = await local(['prove', '--seed', report.seed])
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('60 domains of known state') })
  })

  test('a registrar that calls everything available convinces nobody', async () => {
    net.registrar.be('lying')
    try {
      expect(proofOf(await local(['prove', '--json', ...QUICK]))).toMatchObject({ wrongAvailable: 0 })
    } finally {
      net.registrar.be('well')
    }
  })

  test('fails when a verdict is wrong, when nothing is definite, and without a network', async () => {
    await using wrong = await openCommandInternet({ isRegistered: (domain) => !KNOWN.has(domain) })
    expect((await local(['prove', ...QUICK], { env: wrong.env })).code).toBe(1)
    const alone = { NAMEWRIGHT_OUTBOUND_ROUTES: routesTo(NOBODY) }
    expect((await local(['prove', '--deadline', '1', '--sources', 'registrar'], { env: alone })).code).toBe(5)
    expect(await local(['prove'], { env: closed() })).toMatchObject({ code: 6, stdout: '' })
  })
})

describe('an agent over standard input and output', () => {
  interface Answer {
    readonly id: number | string | null
    readonly error?: { readonly code: number }
    readonly result?: {
      readonly isError?: boolean
      readonly tools?: readonly { readonly name: string }[]
      readonly content?: readonly { readonly text: string }[]
    }
  }
  const call = (id: number | string, name: string, args: unknown) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  })
  async function talk(messages: readonly unknown[], env = {}) {
    const stdin = messages.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('')
    const { code, stdout, stderr } = await local(['mcp', ...QUICK], { stdin, env })
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer)
    const textOf = (id: number | string) => answers.find((one) => one.id === id)?.result?.content?.[0]?.text ?? ''
    return { code, stderr, answers, textOf }
  }
  const HELLO = {
    jsonrpc: '2.0',
    id: 'hello',
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  }

  test('gets two tools, and answers to calls at the same time, unproven ones with a link', async () => {
    const { code, stderr, answers, textOf } = await talk([
      HELLO,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      call(2, 'suggest_names', { description: 'a bakery', candidates: ['Crumbfolk', 'Taken'], tlds: ['com', 'de'] }),
      call(3, 'check', { domains: ['crumbfolk.com', 'crumbfolk.de', 'taken.com'] }),
      call(4, 'suggest_names', { description: 'a bakery', candidates: ['Crumbfolk'], tlds: ['de'] }),
    ])
    expect(code).toBe(0)
    expect(stderr).toMatch(NOTICE)
    expect(answers.map(({ id }) => String(id)).toSorted()).toEqual(['1', '2', '3', '4', 'hello'])
    expect(answers.find(({ id }) => id === 1)?.result?.tools?.map(({ name }) => name)).toEqual([
      'suggest_names',
      'check',
    ])
    expect(textOf(2)).toMatch(/crumbfolk\.com available, \$11\.25 due now/)
    expect(textOf(2)).toContain('rejected, taken: "Taken"')
    expect(textOf(3)).toMatch(
      /crumbfolk\.de not available \(unproven: .+\), confirm at Porkbun: https:\/\/porkbun\.com/,
    )
    expect(textOf(3)).toContain('taken.com not available (taken)')
    expect(textOf(4)).toMatch(/rejected, unproven: "Crumbfolk" confirm at Porkbun: https:\/\/porkbun\.com/)
    expect(textOf(4)).not.toContain('namewright-server')
  })

  test('gets names without a network, each not looked up', async () => {
    const { textOf } = await talk([call(1, 'suggest_names', { description: 'a bakery', count: 2 })], closed())
    expect(textOf(1)).toMatch(/\.com not available \(not_looked_up\)/)
    expect(textOf(1)).not.toMatch(/(?<!not) available/)
  })

  test('that sends nonsense gets errors, and no answer to what it canceled', async () => {
    const { code, answers, textOf } = await talk([
      HELLO,
      '{"jsonrpc":',
      'null',
      '5',
      '"text"',
      call(1, 'check', { domains: 5 }),
      call(2, 'nothing', {}),
      { jsonrpc: '2.0', id: 3, method: 'nothing' },
      call(4, 'suggest_names', { description: 'a bakery' }),
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4 } },
      call('last', 'check', { domains: ['taken.com'] }),
    ])
    expect(code).toBe(0)
    expect(answers.flatMap(({ id, error }) => (id === null ? [error?.code] : []))).toEqual([
      -32_700, -32_600, -32_600, -32_600,
    ])
    expect(answers.find(({ id }) => id === 1)?.result?.isError).toBe(true)
    expect(answers.find(({ id }) => id === 2)?.error?.code).toBe(-32_602)
    expect(answers.find(({ id }) => id === 3)?.error?.code).toBe(-32_601)
    expect(answers.some(({ id }) => id === 4)).toBe(false)
    expect(textOf('last')).toContain('taken.com not available (taken)')
  })
})
