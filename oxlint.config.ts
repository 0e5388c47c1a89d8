/**
 * What `pnpm check` lints, and who may import whom.
 *
 * A *unit* is a file or folder directly in `server/src`, or in one of its groups. Imports between units point to a lower
 * row; only types of what `context.ts` opens are known below it. Features know each other by `index.ts`, without cycles. Each
 * package and the network has one home.
 */
import { readdirSync } from 'node:fs'
import { defineConfig, type OxlintOverride } from 'oxlint'
import LONG_FUNCTIONS from './scripts/lint/known-long-functions.json' with { type: 'json' }

const SERVER = 'server/src'
const APP = 'web/src'

const MAX_LINES = 500
/** Known longer functions have their own limits, in tens of lines, which only fall. */
const MAX_FUNCTION_LINES = 80

const GROUPS = ['engines', 'features', 'platform']

/** From the highest row to the lowest. What stands in none of them starts the service. */
const ROWS = ['start', 'context', 'list', 'feature', 'http', 'engine', 'platform', 'model'] as const
type Row = (typeof ROWS)[number]
/** Rows whose units import each other, without cycles. */
const TIED: readonly Row[] = ['start', 'feature', 'engine', 'platform', 'model']

const ROW_OF: Readonly<Record<string, Row>> = {
  context: 'context',
  app: 'list',
  features: 'feature',
  http: 'http',
  engines: 'engine',
  platform: 'platform',
  model: 'model',
  data: 'model',
}

/** Which units may import a package. */
const HOMES: readonly { readonly packages: string; readonly units: readonly string[] }[] = [
  { packages: 'fastify|@fastify/.*|prom-client|@modelcontextprotocol/.*', units: ['http', 'features', 'settings.ts'] },
  { packages: 'typebox', units: ['http', 'features'] },
  { packages: 'pg', units: ['platform/db'] },
  { packages: 'pg-boss', units: ['platform/jobs'] },
  { packages: 'ioredis', units: ['platform/cache'] },
  { packages: 'better-auth|@better-auth/.*|better-call|@node-rs/argon2|kysely', units: ['features/sign-in'] },
  { packages: 'nodemailer', units: ['platform/mail'] },
  { packages: 'undici', units: ['platform/outbound'] },
  { packages: 'tldts', units: ['features/keys'] },
  { packages: '@namewright/zone-index', units: ['engines/availability', 'cli'] },
]

const NETWORK = ['net', 'tls', 'dgram', 'http', 'https', 'http2', 'dns', 'dns/promises']
const NETWORK_HOMES = ['platform/outbound', 'http']

/** These compare addresses or read the machine's own settings; they open nothing. */
const OPENS_NOTHING = ['BlockList', 'SocketAddress', 'isIP', 'isIPv4', 'isIPv6', 'getServers']

/** From the highest row to the lowest; whatever else stands in the app's sources is one row below the first. */
const APP_ROWS = [['main', 'prerender', 'routes'], [], ['api'], ['ui'], ['i18n', 'preferences'], ['store']]

const OF_SERVICE = String.raw`^(?:\.\./)+src/`

type Restriction = { readonly message: string } & ({ readonly regex: string } | { readonly group: string[] })

/** What the packages of the workspace offer to the server. */
const PACKAGES = [
  '@namewright/names',
  '@namewright/names/node',
  '@namewright/zone-index',
  ...['build', 'czds', 'inspect'].map((name) => `@namewright/zone-index/${name}`),
]
const OWN_FILES = 'The server imports its own files by relative path.'

/** The files and folders of `folder`, those of its groups one by one. */
function unitsIn(folder: string, groups: readonly string[]): string[] {
  return readdirSync(folder)
    .flatMap((name) =>
      groups.includes(name) ? readdirSync(`${folder}/${name}`).map((inner) => `${name}/${inner}`) : [name],
    )
    .filter((unit) => !unit.includes('.test.'))
}

/** How a file of `unit` names `target`; a file is next to its neighbours, a folder one below them. */
function pathTo(target: string, unit: string): string {
  const [group = '', ...inner] = target.split('/')
  const isNeighbour = inner.length === 0 ? !unit.includes('/') : unit.startsWith(`${group}/`)
  const path = isNeighbour && inner.length > 0 ? inner.join('/') : target
  const start = isNeighbour && isFile(unit) ? String.raw`\./` : String.raw`(?:\.\./)+`
  return `^${start}${RegExp.escape(path)}${isFile(target) ? '$' : '/'}`
}

const INDEX_ONLY = 'A feature is known by its index.ts.'

/** How a path goes on that leads into `unit` past its `index.ts`. */
function pastIndex(unit: string): string {
  const others = readdirSync(`${SERVER}/${unit}`).filter((name) => name !== 'index.ts')
  return `(?:${others.map((name) => `${RegExp.escape(name)}${isFile(name) ? '$' : '/'}`).join('|')})`
}

const isIn = (home: string, unit: string): boolean => unit === home || unit.startsWith(`${home}/`)
const filesOf = (folder: string, unit: string): string => `${folder}/${unit}${isFile(unit) ? '' : '/**/*.{ts,tsx}'}`
const isFile = (unit: string): boolean => /\.tsx?$/.test(unit)
const units = unitsIn(SERVER, GROUPS)
const appUnits = unitsIn(APP, [])
const rowOf = (unit: string): Row => ROW_OF[(unit.split('/')[0] ?? '').replace('.ts', '')] ?? 'start'

function serverRestrictions(unit: string): Restriction[] {
  const row = rowOf(unit)
  const others = units.filter((target) => target !== unit)
  const forbidden = others.filter((target) => {
    if (target === 'context.ts' && (row === 'feature' || row === 'http')) return false
    return ROWS.indexOf(rowOf(target)) < ROWS.indexOf(row) || (rowOf(target) === row && !TIED.includes(row))
  })
  const closed = others.filter((target) => rowOf(target) === 'feature' && !forbidden.includes(target))
  const packages = HOMES.filter(({ units: homes }) => !homes.some((home) => isIn(home, unit))).map(
    ({ packages: names, units: homes }) => ({
      regex: `^(?:${names})(?:/|$)`,
      message: `Only ${homes.join(' and ')} may import this package.`,
    }),
  )
  return [
    ...forbidden.map((target) => ({
      regex: pathTo(target, unit),
      message: `${unit} (${row}) may not import ${target} (${rowOf(target)}): take it as an argument.`,
    })),
    ...closed.map((target) => ({ regex: pathTo(target, unit) + pastIndex(target), message: INDEX_ONLY })),
    ...packages,
    { regex: '^#', message: OWN_FILES },
    { group: ['@namewright/**', ...PACKAGES.map((name) => `!${name}`)], message: OWN_FILES },
  ]
}

function serverOverride(unit: string): OxlintOverride {
  const paths = NETWORK_HOMES.includes(unit)
    ? []
    : NETWORK.flatMap((name) => [name, `node:${name}`]).map((name) => ({
        name,
        allowImportNames: OPENS_NOTHING,
        message: 'What leaves this machine goes through platform/outbound.',
      }))
  return {
    files: [filesOf(SERVER, unit)],
    rules: { 'no-restricted-imports': ['error', { paths, patterns: serverRestrictions(unit) }] },
  }
}

const appRowOf = (unit: string): number => {
  const row = APP_ROWS.findIndex((names) => names.includes(unit.replace(/\.tsx?$/, '')))
  return row === -1 ? 1 : row
}

function appOverride(unit: string): OxlintOverride {
  const above = appUnits.filter((target) => appRowOf(target) < appRowOf(unit))
  const patterns = [
    {
      regex: String.raw`^(?:\.\./)+(?:server|sdk)/`,
      message: "The app knows the service through '@namewright/client'.",
    },
    ...above.map((target) => ({
      regex: pathTo(target, unit),
      message: `${unit} may not import ${target}: imports point down.`,
    })),
  ]
  return {
    files: [filesOf(APP, unit)],
    rules: {
      'no-restricted-imports': ['error', { patterns }],
      ...(unit === 'api' ? {} : { 'no-restricted-globals': ['error', 'fetch'] }),
    },
  }
}

const PLUGINS: OxlintOverride['plugins'] = ['typescript', 'import', 'unicorn', 'promise']

export default defineConfig({
  plugins: PLUGINS,
  jsPlugins: ['./scripts/lint/namewright.ts'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'import/no-cycle': 'error',
    'no-console': 'off',
    'no-await-in-loop': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-named-as-default': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'promise/no-promise-in-callback': 'off',
  },
  ignorePatterns: ['node_modules'],
  overrides: [
    {
      files: [`${SERVER}/**/*.ts`],
      plugins: [...PLUGINS, 'node', 'oxc'],
      rules: {
        'namewright/no-double-cast': 'error',
        'unicorn/filename-case': ['error', { case: 'kebabCase' }],
        'oxc/no-barrel-file': ['error', { threshold: 0 }],
        'no-restricted-globals': ['error', 'fetch', 'WebSocket', 'EventSource'],
        'node/no-process-env': 'error',
        'max-lines': ['error', { max: MAX_LINES }],
        'max-lines-per-function': ['error', { max: MAX_FUNCTION_LINES }],
      },
    },
    ...Object.entries(LONG_FUNCTIONS).map(([file, max]): OxlintOverride => ({
      files: [file],
      rules: { 'max-lines-per-function': ['error', { max }] },
    })),
    // A list.
    { files: [`${SERVER}/platform/config/settings.ts`], rules: { 'max-lines': 'off' } },
    // A feature keeps its SQL away from what faces the callers.
    {
      files: [
        `${SERVER}/{*,cli/*,{http,model,engines}/**/*}.ts`,
        `${SERVER}/features/**/{{*-,}{routes,route,schemas,page},pages/*,tools,index,jobs}.ts`,
      ],
      rules: { 'namewright/no-sql': 'error' },
    },
    // What a declared route writes is committed with its answer; a settings route writes at once.
    {
      files: [`${SERVER}/features/*/{routes,*-route}.ts`],
      rules: { 'namewright/no-effects': ['error', 'mail', 'jobs', 'db.as', 'db.transaction'] },
    },
    {
      files: [`${SERVER}/features/**/*-routes.ts`],
      rules: { 'namewright/no-effects': ['error', 'mail', 'jobs'] },
    },
    {
      files: [`${SERVER}/main.ts`, `${SERVER}/platform/config/**`],
      plugins: [...PLUGINS, 'node', 'oxc'],
      rules: { 'node/no-process-env': 'off' },
    },
    ...units.map(serverOverride),
    // The DNS client speaks the protocol itself.
    {
      files: [`${SERVER}/engines/availability/dns*.ts`],
      rules: { 'no-restricted-imports': ['error', { patterns: serverRestrictions('engines/availability') }] },
    },
    ...appUnits.map(appOverride),
    // Tests may reach for anything, but for those of the contract.
    {
      files: ['**/*.test.ts', '**/*.test.tsx'],
      plugins: [...PLUGINS, 'node', 'oxc'],
      rules: {
        'namewright/no-double-cast': 'off',
        'no-restricted-imports': 'off',
        'no-restricted-globals': 'off',
        'node/no-process-env': 'off',
        'namewright/no-sql': 'off',
        'max-lines': 'off',
        'max-lines-per-function': 'off',
      },
    },
    // A file of the service that moves is named anew in one place. One of the two others is a process that starts often, the
    // other the example of a file of the service.
    {
      files: ['server/test/**/*.ts'],
      excludeFiles: ['server/test/{source,budget-taker,registrars/acme}.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          { patterns: [{ regex: OF_SERVICE, message: "Tests know the service's own code by server/test/source.ts." }] },
        ],
      },
    },
    {
      files: ['server/test/api/**/*.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                regex: String.raw`${OF_SERVICE}|/source\.ts$`,
                message:
                  'A test of the contract knows what a caller sees: HTTP, api/openapi.json and the golden files.',
              },
            ],
          },
        ],
      },
    },
    { files: ['docs/.vitepress/**'], rules: { 'import/no-unassigned-import': 'off' } },
    {
      files: [`${APP}/**`],
      plugins: [...PLUGINS, 'react', 'jsx-a11y'],
      rules: {
        'react/rules-of-hooks': 'error',
        'react/exhaustive-deps': 'error',
        'react/jsx-no-literals': ['error', { allowedStrings: ['Namewright'] }],
        'react/react-in-jsx-scope': 'off',
        'import/no-unassigned-import': 'off',
        'typescript/consistent-return': 'off',
      },
    },
  ],
})
