/** The page for agents: every file it asks people to write can be read by the program that it is for. */
import { expect, test } from 'vitest'
import { blocksOf, readPage, sectionOf } from './pages.ts'

const PAGE = readPage('docs/mcp.md')
const ADDRESS = 'https://names.example.com/mcp'

interface Entry {
  readonly url?: string
  readonly serverUrl?: string
  readonly httpUrl?: string
  readonly type?: string
  readonly headers: Readonly<Record<string, string>>
}

/** The setting of a client, and where it keeps servers. */
const CLIENTS: readonly [client: string, list: string, address: keyof Entry][] = [
  ['Claude Code', 'mcpServers', 'url'],
  ['VS Code', 'servers', 'url'],
  ['Windsurf', 'mcpServers', 'serverUrl'],
  ['Gemini CLI', 'mcpServers', 'httpUrl'],
  ['Zed', 'context_servers', 'url'],
]

test.each(CLIENTS)(
  'the file for %s is JSON, with the address and a key where that client looks',
  (client, list, name) => {
    const [, after = ''] = sectionOf(PAGE, '## Connect').split(`**${client}**`)
    const [block = ''] = blocksOf(after, 'json')
    const file = JSON.parse(block) as Record<string, Record<string, Entry>>
    const entry = file[list]?.namewright
    expect(entry?.[name]).toBe(ADDRESS)
    expect(entry?.headers.Authorization).toMatch(/^Bearer (?:nw_change-me|\$\{input:namewright-key\})$/)
  },
)

test('every block of JSON on the page is one of those', () => {
  expect(blocksOf(PAGE, 'json')).toHaveLength(CLIENTS.length)
})

test('the file for Codex is TOML, and keeps no key', () => {
  const [block = '', ...others] = blocksOf(PAGE, 'toml')
  expect(others).toEqual([])
  const [table, ...lines] = block.trim().split('\n')
  expect(table).toBe('[mcp_servers.namewright]')
  const pairs = lines.map((line) => /^([a-z_]+) = ("[^"]*")$/.exec(line)?.slice(1) ?? [line, '""'])
  expect(Object.fromEntries(pairs.map(([name, value = '']) => [name, JSON.parse(value) as string]))).toEqual({
    url: ADDRESS,
    bearer_token_env_var: 'NAMEWRIGHT_API_KEY',
  })
})

test('the bridge that it describes is as short as it says', () => {
  expect(readPage('server/test/stdio-bridge.ts').split('\n').length).toBeLessThan(100)
})
