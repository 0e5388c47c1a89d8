/**
 * What each file may reach outside our own code: packages, the network, the environment, the database's language.
 *
 * Each of these has one home, so that "what would we touch to replace it?" and "what can leave this machine?" are
 * answered by one folder name.
 */
import type { Violation } from '../violation.ts'
import type { Import, Module } from './module.ts'
import { rowOf, SOURCE, unitOf } from './rows.ts'

type Finding = Pick<Violation, 'line' | 'rule' | 'advice'>

/** Packages with a home: the units that may import them. */
const HOMES: readonly { readonly packages: RegExp; readonly units: readonly string[] }[] = [
  { packages: /^(?:fastify|@fastify\/.*)$/, units: ['http'] },
  { packages: /^(?:typebox|@sinclair\/typebox)$/, units: ['http', 'wire'] },
  { packages: /^prom-client$/, units: ['http'] },
  { packages: /^pg$/, units: ['platform/db'] },
  { packages: /^pg-boss$/, units: ['automation/jobs'] },
  { packages: /^ioredis$/, units: ['platform/cache'] },
  { packages: /^(?:better-auth|@better-auth\/.*|better-call|@node-rs\/argon2)$/, units: ['identity/people'] },
  { packages: /^kysely$/, units: ['identity/people'] },
  { packages: /^nodemailer$/, units: ['identity/mail'] },
  { packages: /^tldts$/, units: ['tenancy/keys'] },
  { packages: /^@modelcontextprotocol\/.*$/, units: ['http'] },
]

const NETWORK = /^(?:(?:node:)?(?:net|tls|dgram|http|https|http2|dns|dns\/promises)|undici)$/
const SERVING = /^(?:node:)?(?:net|tls|http|https)$/
// These compare addresses or read the machine's own settings; they open nothing.
const HARMLESS = new Set(['BlockList', 'SocketAddress', 'isIP', 'isIPv4', 'isIPv6', 'getServers'])
const GLOBALS = new Set(['fetch', 'WebSocket', 'EventSource'])

/** Units of the platform that own tables. */
const SQL_IN_PLATFORM: ReadonlySet<string> = new Set([
  'platform/db',
  'platform/idempotency',
  'platform/journal',
  'platform/switches',
])

const SQL = new RegExp(
  [
    String.raw`^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|MERGE INTO|(?:CREATE|ALTER|DROP|TRUNCATE) [A-Z]+)\s`,
    // Lower case is also English, so more of the sentence must be there.
    String.raw`^\s*(?:select\s[^]+\sfrom\s|insert into\s+\w+\s*\(|update\s+\w+\s+set\s|delete from\s+\w|with\s+\w+\s+as\s+\()`,
  ].join('|'),
)

export function checkReach(module: Module): Violation[] {
  const found = [...checkPackages(module), ...checkNetwork(module), ...checkEnvironment(module), ...checkSql(module)]
  return found.map((finding) => ({ file: `${SOURCE}/${module.path}`, ...finding }))
}

function checkPackages({ path, imports }: Module): Finding[] {
  return imports.flatMap(({ specifier, line }) => {
    const name = packageOf(specifier ?? '')
    const home = HOMES.find(({ packages }) => packages.test(name))
    if (home === undefined || home.units.includes(unitOf(path))) return []
    return [{ line, rule: 'package', advice: `only ${home.units.join(' and ')} may import ${name}: go through there` }]
  })
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function checkNetwork(module: Module): Finding[] {
  const { path, imports } = module
  if (unitOf(path) === 'platform/outbound' || /^availability\/dns[^/]*(?:\.ts$|\/)/.test(path)) return []
  const rule = 'network'
  const isServer = unitOf(path) === 'http'
  const imported = imports
    .filter(({ specifier }) => NETWORK.test(specifier ?? '') && !(isServer && SERVING.test(specifier ?? '')))
    .filter((entry) => !isHarmless(entry))
    .map(({ line, specifier }) => ({ line, rule, advice: `ask through outbound.ts instead of ${specifier ?? ''}` }))
  const called = module.tokens
    .filter((token, at) => token.kind === 'word' && GLOBALS.has(token.text) && usesGlobal(module, at))
    .map(({ line, text }) => ({ line, rule, advice: `ask through outbound.ts instead of the global ${text}` }))
  return [...imported, ...called]
}

function isHarmless({ names }: Import): boolean {
  return names.length > 0 && names.every((name) => HARMLESS.has(name))
}

/** True for `fetch(…)`, `new WebSocket(…)`, `globalThis.fetch` and `= fetch`; false for a method of that name. */
function usesGlobal({ tokens }: Module, at: number): boolean {
  const before = tokens[at - 1]?.text ?? ''
  if (before === '.' || before === '?.') return tokens[at - 2]?.text === 'globalThis'
  if (['=', '??', '||', 'new'].includes(before)) return true
  if (tokens[at + 1]?.text !== '(' || before === 'function') return false
  const after = textAfterParentheses(tokens, at + 1)
  const isDeclaration = (after === '{' || after === ':') && ['{', '}', ',', ';', 'async', ')'].includes(before)
  return !isDeclaration
}

function textAfterParentheses(tokens: Module['tokens'], open: number): string {
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]?.text === '(') depth++
    if (tokens[at]?.text === ')' && --depth === 0) return tokens[at + 1]?.text ?? ''
  }
  return ''
}

function checkEnvironment({ path, tokens, imports }: Module): Finding[] {
  if (unitOf(path) === 'platform/config') return []
  const rule = 'environment'
  const isEntry = rowOf(path) === 'main'
  const advice = isEntry
    ? 'hand process.env straight to readConfig(process.env)'
    : 'only config.ts reads the environment: take the value from Config'
  const read = tokens.filter((token, at) => {
    if (token.kind !== 'word' || token.text !== 'process') return false
    const [before, after] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text ?? '']
    if (before === '=' && tokens[at - 2]?.text === '}') return true
    if (!['.', '?.', '['].includes(after) || tokens[at + 2]?.text !== 'env') return false
    const isHandedOn =
      before === '(' && tokens[at - 2]?.text === 'readConfig' && [')', ','].includes(tokens[at + 3]?.text ?? '')
    return !(isEntry && isHandedOn)
  })
  const imported = imports.filter(
    ({ specifier, names }) => /^(?:node:)?process$/.test(specifier ?? '') && names.includes('env'),
  )
  return [...read, ...imported].map(({ line }) => ({ line, rule, advice }))
}

function checkSql({ path, tokens }: Module): Finding[] {
  if (rowOf(path) === 'capability' || SQL_IN_PLATFORM.has(unitOf(path))) return []
  return tokens
    .filter(({ kind, text }) => (kind === 'string' || kind === 'template') && SQL.test(text))
    .map(({ line }) => ({
      line,
      rule: 'sql',
      advice: 'SQL lives in capabilities and platform/db: move the statement there',
    }))
}
