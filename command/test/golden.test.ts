/**
 * Golden files of command lines: golden/NAME.txt has the command, the exit code and both streams.
 *
 * They run against a real node, whose names are the same for the same seed. Placeholders replace what differs between two
 * runs (ids, times, URLs). After an intended change, run pnpm exec vitest run command/test/golden.test.ts -u, and review
 * the files.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../server/test/certificate.ts'
import { freePort } from '../../server/test/free-port.ts'
import { NAMESPACE_HOSTS, openNamespaceServer } from '../../server/test/internet/namespace-server.ts'
import { emptyRedis } from '../../server/test/redis.ts'
import { startApp } from '../../server/test/start-app.ts'
import type { Node, World } from '../../server/test/world.ts'
import { openFolder, runCli } from './harness.ts'
import type { Folder } from './harness.ts'
import { createScreen } from './screen.ts'

interface Case {
  readonly args: readonly string[]
  /** The key to use; no key with `none`. */
  readonly as?: 'ada' | 'poor' | 'narrow' | 'stranger' | 'none'
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  /** On a terminal of this width. */
  readonly columns?: number
  /** At the node that asks package registries and code hosts. */
  readonly asksNamespaces?: true
}

// A slow machine must not change the result.
const PATIENT = ['--deadline', '20', '--timeout', '60']
const ROASTER = ['suggest', 'coffee roaster in Oslo', '--seed', '7', ...PATIENT]
const NOBODY = '01a1def5-d599-7cff-8c6e-0ae2b52c5983'

const CASES: Readonly<Record<string, Case>> = {
  'no-command': { args: [] },
  help: { args: ['help'] },
  'help-suggest': { args: ['help', 'suggest'] },
  'help-batch': { args: ['help', 'batch'] },
  'help-batch-run': { args: ['batch', 'run', '--help'] },
  'help-unknown': { args: ['help', 'sugest'] },
  version: { args: ['version'] },
  'unknown-command': { args: ['chekc', 'a.com'] },
  'unknown-command-far': { args: ['frobnicate'] },
  'unknown-action': { args: ['favorites', 'ad', 'a.com'] },
  'missing-action': { args: ['batch'] },
  'option-suffixes': { args: ['suggest', 'a bakery', '--suffixes', 'com'] },
  'command-generate': { args: ['generate', 'a bakery'] },
  'unknown-option': { args: ['suggest', 'a bakery', '--cuont', '5'] },
  'unknown-short-option': { args: ['suggest', 'a bakery', '-json'] },
  'option-without-value': { args: ['suggest', 'a bakery', '--count'] },
  'option-value-next-option': { args: ['suggest', 'a bakery', '--tlds', '--json'] },
  'option-not-a-number': { args: ['suggest', 'a bakery', '--count', 'five'] },
  'option-out-of-range': { args: ['suggest', 'a bakery', '--count', '101'] },
  'option-not-of-the-list': { args: ['suggest', 'a bakery', '--style', 'compund'] },
  'flag-with-value': { args: ['suggest', 'a bakery', '--json=yes'] },
  'two-formats': { args: ['check', 'a.com', '--json', '--csv'] },
  'key-as-option': { args: ['suggest', 'a bakery', '--key', 'nw_not-to-be-shown'] },
  'token-as-option': { args: ['check', 'a.com', '--token=nw_not-to-be-shown'] },
  'key-as-argument': { args: ['config', 'set', 'key', 'nw_not-to-be-shown'] },

  suggest: { args: [...ROASTER, '--count', '4', '--tlds', 'com,net'] },
  'suggest-without-its-name': { args: ['coffee roaster in Oslo', '--seed', '7', '-n', '2', '-t', 'com', ...PATIENT] },
  'suggest-stdin': {
    args: ['suggest', '--stdin', '--seed', '7', '-n', '2', '-t', 'com', ...PATIENT],
    stdin: 'coffee roaster\nin Oslo\n',
  },
  'suggest-candidates': {
    args: ['suggest', 'a bakery', '--candidates', '-', '-t', 'com', ...PATIENT],
    stdin: 'Ovenfolk Yard\ngoogle\nbread\n\novenfolk yard\n_\n',
  },
  'suggest-candidates-none': { args: ['suggest', 'a bakery', '--candidates', '-'], stdin: '\n' },
  'suggest-candidates-both': { args: ['suggest', '-', '--candidates', '-'], stdin: 'a bakery' },
  'suggest-json': { args: [...ROASTER, '--count', '1', '--tlds', 'com', '--json'] },
  'suggest-ndjson': { args: [...ROASTER, '--count', '2', '--tlds', 'com', '--ndjson'] },
  'suggest-csv': { args: [...ROASTER, '--count', '2', '--tlds', 'com,net', '--csv', '--rationale'] },
  'suggest-handles': {
    args: [...ROASTER, '--count', '1', '--tlds', 'com', '--handles', '--csv'],
    asksNamespaces: true,
  },
  'suggest-terminal': { args: [...ROASTER, '--count', '4', '--tlds', 'com,net,io'], columns: 80 },
  'suggest-terminal-narrow': { args: [...ROASTER, '--count', '4', '--tlds', 'com,net,io,org'], columns: 32 },
  'suggest-too-cheap': { args: [...ROASTER, '--count', '2', '--max-price', '1'] },
  'suggest-unknown-suffix': { args: [...ROASTER, '--tlds', 'cmo'] },
  'suggest-ignored-suffix': { args: [...ROASTER, '--count', '1', '--tlds', 'cmo,net', '--json'] },
  'suggest-empty': { args: ['suggest', '  '] },
  'suggest-no-letter': { args: ['suggest', '1 2 3'] },
  'suggest-wrong-language': { args: ['suggest', 'a bakery', '--language', 'not a tag'] },
  'suggest-no-key': { args: ['suggest', 'a bakery'], as: 'none' },
  'suggest-wrong-key': { args: ['suggest', 'a bakery'], as: 'stranger' },
  'suggest-no-scope': { args: ['suggest', 'a bakery'], as: 'narrow' },
  'suggest-no-quota': { args: ['suggest', 'a bakery', '--count', '4'], as: 'poor' },
  'suggest-wrong-url': { args: ['suggest', 'a bakery', '--url', 'ftp://names.example.com'] },

  check: { args: ['check', 'taken-for-sure.com', 'free-for-sure-golden.com', 'bäckerei-am-markt.com', ...PATIENT] },
  'check-none-free': { args: ['check', 'taken-for-sure.com', 'taken-for-sure.net', ...PATIENT] },
  'check-nonsense': { args: ['check', 'nope', 'storkloom.cmo', ...PATIENT] },
  'check-stdin': {
    args: ['check', '--stdin', ...PATIENT],
    stdin: '# two of them\nfree-for-sure-golden.com, taken-for-sure.com # gone\n',
  },
  'check-country': {
    args: ['check', 'free-for-sure-golden.us', 'free-for-sure-golden.eu', '--country', 'jp', ...PATIENT],
  },
  'check-both': { args: ['check', '--stdin', 'a.com'], stdin: 'b.com' },
  'check-nothing': { args: ['check'] },
  'check-csv': { args: ['check', 'free-for-sure-golden.com', 'taken-for-sure.com', '--csv', ...PATIENT] },
  'check-json': { args: ['--json', 'check', 'free-for-sure-golden.com', ...PATIENT] },
  'check-terminal': {
    args: ['check', 'taken-for-sure.com', 'free-for-sure-golden.com', 'bäckerei-am-markt.com', 'nope', ...PATIENT],
    columns: 100,
  },
  'check-terminal-narrow': {
    args: ['check', 'taken-for-sure.com', 'free-for-sure-and-far-too-long-for-this.co.uk', ...PATIENT],
    columns: 40,
  },

  'help-name': { args: ['help', 'name'] },
  name: { args: ['name', 'factory-golden', 'Taken For Sure', '--tlds', 'com', ...PATIENT], asksNamespaces: true },
  'name-csv': { args: ['name', 'factory-golden', '--tlds', 'com', '--csv', ...PATIENT], asksNamespaces: true },
  'name-json': { args: ['name', 'wordgolden', '-t', 'com', '--include', 'code,links', '--json', ...PATIENT] },
  'name-terminal': {
    args: ['name', 'factory-golden', '--tlds', 'com,net', '--include', 'packages,code,links', ...PATIENT],
    columns: 100,
    asksNamespaces: true,
  },
  'name-nothing': { args: ['name'] },
  'name-nonsense': { args: ['name', 'a.b', '--tlds', 'com'] },

  'favorites-add': {
    args: ['favorites', 'add', 'free-for-sure-golden.com', '--note', '=1+1, "really"', '--tags', 'bakery,b', '--watch'],
  },
  'favorites-add-nonsense': { args: ['favorites', 'add', 'nope'] },
  favorites: { args: ['favorites'] },
  'favorites-csv': { args: ['favorites', 'list', '--csv'] },
  'favorites-terminal': { args: ['favorites'], columns: 90 },
  'favorites-unwatch': { args: ['favorites', 'unwatch', 'free-for-sure-golden.com'] },
  'favorites-watch': { args: ['favorites', 'watch', 'FREE-for-sure-golden.com'] },
  'favorites-changes': { args: ['favorites', 'changes', 'free-for-sure-golden.com'] },
  'favorites-remove-unknown': { args: ['favorites', 'remove', 'not-there.com'] },
  'favorites-remove': { args: ['favorites', 'remove', 'free-for-sure-golden.com'] },
  'favorites-none': { args: ['favorites'] },

  'history-terminal': { args: ['history', '--limit', '2', '--search', 'oslo'], columns: 100 },
  'history-csv': { args: ['history', 'list', '--limit', '1', '--search', 'oslo', '--csv'] },
  'history-none': { args: ['history', '--search', 'no such thing'] },
  'history-wrong-date': { args: ['history', '--since', 'yesterday'] },
  'history-show-unknown': { args: ['history', 'show', NOBODY] },
  'history-show-nonsense': { args: ['history', 'show', '..'] },
  'history-delete-what': { args: ['history', 'delete'] },
  'history-delete-unasked': { args: ['history', 'delete', '--all'] },
  'history-delete-all': { args: ['history', 'delete', '--all', '--yes'] },

  'batch-status-none': { args: ['batch', 'status'], as: 'poor' },
  'batch-status-unknown': { args: ['batch', 'status', NOBODY] },
  'batch-no-file': { args: ['batch', 'run', 'not-there.csv'] },
  'batch-wrong-column': { args: ['batch', 'run', '<dir>/wrong-column.csv'] },
  'batch-wrong-cells': { args: ['batch', 'run', '<dir>/wrong-cells.csv'] },
  'batch-open-quote': { args: ['batch', 'run', '<dir>/open-quote.csv'] },
  'batch-no-quota': { args: ['batch', 'run', '<dir>/rows.csv'], as: 'poor' },

  usage: { args: ['usage', '--days', '2'], as: 'poor' },
  keys: { args: ['keys'], as: 'poor' },
  config: { args: ['config'] },
  'config-set': { args: ['config', 'set', 'tlds', 'com,net'] },
  'config-get': { args: ['config', 'get', 'tlds'] },
  'config-unknown': { args: ['config', 'set', 'colour', 'red'] },
  'config-unset': { args: ['config', 'unset', 'tlds'] },
  'config-get-unset': { args: ['config', 'get', 'tlds'] },
  'config-set-key': { args: ['config', 'set', 'key'], stdin: 'nw_not-to-be-shown\n', as: 'none' },
  'config-get-key': { args: ['config', 'get', 'key'], as: 'none' },
  'logout-key': { args: ['logout'], as: 'none' },
  'login-no-people': { args: ['login'], as: 'none' },
  'completion-unknown': { args: ['completion', 'tcsh'] },
  'mcp-no-key': { args: ['mcp'], as: 'none' },
}

let world: World
let node: Node
let asking: Node
const closing = new AsyncDisposableStack()
let folder: Folder
const keys: Record<string, string> = { stranger: 'nw_not-to-be-shown-either' }
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  const certificate = closing.use(await makeCertificate(NAMESPACE_HOSTS))
  const hosts = closing.use(await openNamespaceServer(certificate, { has: (_, name) => name.startsWith('fact') }))
  asking = await world.startNode({
    ...(await emptyRedis()),
    NAMEWRIGHT_NAMESPACES: 'on',
    NAMEWRIGHT_OUTBOUND_ROUTES: hosts.routes,
    NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
  })
  folder = openFolder()
  const account = await world.makeAccount()
  const quota = { perMinute: 1_000_000, burst: 1_000_000, perDay: 3, perMonth: null }
  keys['ada'] = (await world.makeKey(account)).secret
  keys['poor'] = (await world.makeKey(await world.makeAccount(), { quota })).secret
  keys['narrow'] = (await world.makeKey(account, { scopes: ['history:read'] })).secret
  writeFileSync(`${folder.path}/rows.csv`, 'description,count\na bakery,2\na chess club,2\n')
  writeFileSync(`${folder.path}/wrong-column.csv`, 'descripton,count\na bakery,2\n')
  writeFileSync(`${folder.path}/wrong-cells.csv`, 'description,count,hyphens\na bakery,many,perhaps\n,2,\n')
  writeFileSync(`${folder.path}/open-quote.csv`, 'description\n"a bakery\n')
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await closing.disposeAsync()
  folder[Symbol.dispose]()
})

describe('the command line', () => {
  test.for(Object.entries(CASES))(
    '%s',
    { timeout: 120_000 },
    async ([name, { args, as = 'ada', stdin, env = {}, columns, asksNamespaces }]) => {
      const screen = columns === undefined ? undefined : createScreen(columns)
      const ran = await runCli(
        args.map((one) => one.replace('<dir>', folder.path)),
        {
          env: {
            XDG_CONFIG_HOME: folder.path,
            NAMEWRIGHT_URL: (asksNamespaces ? asking : node).url,
            ...(as === 'none' ? {} : { NAMEWRIGHT_API_KEY: keys[as] ?? '' }),
            ...env,
          },
          ...(stdin === undefined ? {} : { stdin }),
          ...(screen ? { stdout: screen } : {}),
        },
      )
      const text = [
        `$ ${stdin === undefined ? '' : `printf ${JSON.stringify(stdin)} | `}namewright ${args.map(quoted).join(' ')}`.trimEnd(),
        ...(columns === undefined ? [] : [`on a terminal, ${columns} columns wide`]),
        `exit code ${ran.code}`,
        '--- stdout',
        screen ? screen.lines().join('\n') : ran.stdout.replaceAll('\r\n', '␍\n').trimEnd(),
        '--- stderr',
        ran.stderr.trimEnd(),
        '',
      ].join('\n')
      expect(ran.stdout + ran.stderr).not.toContain('not-to-be-shown')
      await expect(same(text)).toMatchFileSnapshot(`golden/${name}.txt`)
      if (screen) expect(screen.isCursorShown()).toBe(true)
    },
  )

  test('an unreachable service is exit code 5, with a hint', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`
    const ran = await runCli(['suggest', 'a bakery', '--timeout', '10'], {
      env: { NAMEWRIGHT_URL: nowhere, NAMEWRIGHT_API_KEY: keys['ada'] ?? '' },
    })
    expect(ran.code).toBe(5)
    expect(ran.stderr).toMatch(
      /^namewright: The service at http:\S+ could not be reached: connect ECONNREFUSED \S+\n {2}Check the URL of the service: /,
    )
  })

  test('login reports which service is unreachable, and why', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`
    const ran = await runCli(['login'], { env: { NAMEWRIGHT_URL: nowhere } })
    expect(ran.code).toBe(5)
    expect(ran.stderr).toContain(`The service at ${nowhere} could not be reached: connect ECONNREFUSED`)
  })

  test('every file belongs to a case, and there are enough of them', () => {
    const files = readdirSync(new URL('golden', import.meta.url)).map((file) => file.replace(/\.txt$/, ''))
    expect(files.filter((file) => !file.startsWith('live-')).toSorted()).toEqual(Object.keys(CASES).toSorted())
    expect(files.length).toBeGreaterThanOrEqual(40)
  })
})

/** Replaces what differs between two runs by placeholders. */
function same(text: string): string {
  return text
    .replaceAll(node.url, 'http://service')
    .replaceAll(folder.path, '<dir>')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) =>
      id === NOBODY ? id : '<id>'.padEnd(36, '.'),
    )
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '<date and time>.')
    .replaceAll(/^\d{4}-\d\d-\d\d\t/gm, '<day>\t')
    .replaceAll(/nw_\w{4}…/g, 'nw_xxxx…')
    .replaceAll(/Try again in [^.]+\./g, 'Try again in <a while>.')
    .replaceAll(/Wait \d+ s/g, 'Wait <a while>')
}

function quoted(arg: string): string {
  return /^[\w./:=@,<>-]+$/.test(arg) ? arg : `"${arg.replaceAll('"', '\\"')}"`
}
