/** The list of all commands, as data. The parser, help and completion read it. */
import { STYLES } from '../../packages/names/src/request.ts'
import type { NamesRequest, WebhookRequest } from '../../sdk/src/api-types.ts'
import { FORMAT_OPTIONS } from './spec.ts'
import type { CommandSpec, GroupSpec, OptionSpec } from './spec.ts'

export const EVENTS: WebhookRequest['events'] = [
  'favorite.available',
  'favorite.taken',
  'favorite.price_changed',
  'batch.completed',
  'quota.warning',
  'audit.entry',
]

export const NAME_PARTS: NonNullable<NamesRequest['include']> = ['packages', 'code', 'links']

export const SHELLS = ['bash', 'zsh', 'fish'] as const

const LIMIT: OptionSpec = {
  name: 'limit',
  short: 'n',
  takes: 'integer',
  range: [1, 1_000_000],
  about: 'number of results (default 20)',
}
const ALL: OptionSpec = { name: 'all', about: 'all results instead of the newest 20' }
const STDIN = (what: string): OptionSpec => ({ name: 'stdin', about: `read ${what} from standard input` })
const YES: OptionSpec = { name: 'yes', short: 'y', about: 'skip the confirmation' }
const VERIFY: OptionSpec = {
  name: 'verify',
  takes: 'text',
  placeholder: 'HOW',
  oneOf: ['fast', 'full'],
  about: 'full: bypass caches and ask the registrar or registry again',
}
const QUALITY: OptionSpec = {
  name: 'quality',
  takes: 'text',
  placeholder: 'HOW',
  oneOf: ['fast', 'best'],
  about: 'fast: do not wait for a language model (default best)',
}
const DEADLINE: OptionSpec = {
  name: 'deadline',
  takes: 'number',
  placeholder: 'S',
  range: [0.1, 30],
  about: 'seconds to wait for checks; later results are unknown (default 2.5; without a service 10)',
}

const TLDS: OptionSpec = {
  name: 'tlds',
  short: 't',
  takes: 'list',
  placeholder: 'A,B',
  about: 'suffixes of names without one: com,io',
}

const ALONE: OptionSpec = { name: 'local', about: 'use the engines of this command, although there is a service' }
const LOCAL: readonly OptionSpec[] = [
  ALONE,
  {
    name: 'sources',
    takes: 'list',
    placeholder: 'A,B',
    oneOf: ['registrar', 'rdap', 'dns'],
    about: 'without a service: who is asked about domains (default: all three)',
  },
]
const MODEL: OptionSpec = {
  name: 'model',
  takes: 'text',
  placeholder: 'KIND:NAME',
  about: 'without a service: a language model that writes names, such as ollama:llama3.1',
}

const COUNTRY: OptionSpec = {
  name: 'country',
  takes: 'text',
  placeholder: 'XX',
  about: 'country of the registrant: domains closed to it are restricted',
}

/** Options of a request for names; a batch file has the same as columns. */
export const NAME_OPTIONS: readonly OptionSpec[] = [
  { name: 'count', short: 'n', takes: 'integer', range: [1, 100], about: 'number of names (default 10)' },
  {
    name: 'tlds',
    short: 't',
    takes: 'list',
    placeholder: 'A,B',
    about: 'suffixes or presets, in order of preference: com,no or startup',
  },
  {
    name: 'language',
    short: 'l',
    takes: 'text',
    placeholder: 'TAG',
    about: 'language of names and texts: de, pt-BR',
  },
  { name: 'style', short: 's', takes: 'list', placeholder: 'A,B', oneOf: STYLES, about: 'naming styles' },
  { name: 'include-words', takes: 'list', placeholder: 'A,B', about: 'every name contains one of these' },
  { name: 'exclude-words', takes: 'list', placeholder: 'A,B', about: 'no name contains any of these' },
  { name: 'min-length', takes: 'integer', range: [1, 63], about: 'minimum number of letters (default 3)' },
  { name: 'max-length', takes: 'integer', range: [1, 63], about: 'maximum number of letters (default 15)' },
  { name: 'hyphens', about: 'allow a hyphen in names' },
  { name: 'digits', about: 'allow digits in names' },
  {
    name: 'country',
    takes: 'text',
    placeholder: 'XX',
    about: 'country of the registrant; also offer its suffix',
  },
  { name: 'currency', takes: 'text', placeholder: 'XXX', about: 'currency of prices: EUR' },
  { name: 'max-price', takes: 'number', placeholder: 'N', range: [0, 1e9], about: 'maximum amount due today' },
  {
    name: 'max-price-5y',
    takes: 'number',
    placeholder: 'N',
    range: [0, 1e9],
    about: 'maximum total price of at least five years',
  },
  { name: 'premium', about: 'include premium domains' },
  { name: 'variants', about: 'offer getmayfly.com where mayfly.com is taken' },
  { name: 'like', takes: 'list', placeholder: 'A,B', about: 'suggest names similar to these' },
  { name: 'unlike', takes: 'list', placeholder: 'A,B', about: 'avoid names similar to these' },
  { name: 'seed', takes: 'integer', about: 'seed of the generator: another number gives other names' },
]

const NAMES_NOTE = 'Exit code 0: names were found. 1: no names were found. 5: availability could not be checked.'

export const GROUPS: readonly GroupSpec[] = [
  { name: 'history', about: 'List, show and delete past requests', without: 'list' },
  { name: 'favorites', about: 'Save domains and watch them for changes', without: 'list' },
  { name: 'batch', about: 'Process many descriptions from a file' },
  { name: 'webhooks', about: 'Manage the webhooks of the account', without: 'list' },
  { name: 'config', about: 'Show and change the settings of this command', without: 'list' },
]

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'suggest',
    about: 'Suggest names for a description, with domains that can be registered',
    takes: 'DESCRIPTION',
    options: [
      ...NAME_OPTIONS,
      {
        name: 'candidates',
        takes: 'text',
        placeholder: 'FILE',
        about: 'check the names of a file, one per line, up to 100 (- for standard input)',
      },
      { name: 'fill', about: 'with --candidates: add names until there are --count' },
      { name: 'all', about: 'include names without an available domain' },
      { name: 'rationale', about: 'explain each name' },
      { name: 'handles', about: 'look each name up in package registries and at code hosts' },
      VERIFY,
      QUALITY,
      DEADLINE,
      MODEL,
      ...LOCAL,
      STDIN('the description'),
      ...FORMAT_OPTIONS,
    ],
    notes: [NAMES_NOTE],
    examples: [
      'namewright suggest "coffee roaster in Oslo" --count 5 --tlds com,co',
      'namewright suggest "a bakery" --candidates names.txt --tlds com,io',
      'namewright suggest "a chess club" --style compound,blend --max-price 20 --json',
    ],
    load: async () => (await import('./commands/suggest.ts')).suggest,
  },
  {
    name: 'check',
    about: 'Check whether domains can be registered, and what they cost',
    takes: 'DOMAIN_OR_NAME...',
    options: [
      TLDS,
      VERIFY,
      DEADLINE,
      ...LOCAL,
      COUNTRY,
      { name: 'for-sale', about: 'look for offers to sell taken domains' },
      STDIN('the domains'),
      ...FORMAT_OPTIONS,
    ],
    notes: [
      'Exit code 0: at least one is available. 1: none is available. 5: none is available, and some could not be checked.',
    ],
    examples: [
      'namewright check storkloom.com storkloom.io',
      'namewright check storkloom --tlds com,io,shop',
      'namewright check --stdin --csv < domains.txt',
    ],
    load: async () => (await import('./commands/check.ts')).check,
  },
  {
    name: 'name',
    about: 'Check names under suffixes, in package registries and at code hosts',
    takes: 'NAME...',
    options: [
      { ...TLDS, about: 'suffixes or presets: com,startup' },
      {
        name: 'include',
        takes: 'list',
        placeholder: 'A,B',
        oneOf: NAME_PARTS,
        about: 'what to look up besides domains (default packages,code)',
      },
      VERIFY,
      DEADLINE,
      ...LOCAL,
      COUNTRY,
      ...FORMAT_OPTIONS,
    ],
    notes: [
      '“not found” means that nobody shows an entry of this name there. The registry can refuse the name all the same.',
      'Exit code 0: a domain is available. 1: none is available. 5: none is available, and some could not be checked.',
    ],
    examples: [
      'namewright name storkloom',
      'namewright name "Blue Heron" --tlds com,io --include packages,links --json',
    ],
    load: async () => (await import('./commands/name.ts')).checkName,
  },
  {
    name: 'history list',
    about: 'List past requests, newest first',
    takes: '',
    options: [
      LIMIT,
      ALL,
      { name: 'search', short: 'q', takes: 'text', about: 'text in the description' },
      { name: 'since', takes: 'text', placeholder: 'DATE', about: 'not before: 2026-01-31 or an RFC 3339 time' },
      { name: 'until', takes: 'text', placeholder: 'DATE', about: 'before this date or time' },
      ...FORMAT_OPTIONS,
    ],
    examples: ['namewright history', 'namewright history list --search bakery --since 2026-01-01 --json'],
    load: async () => (await import('./commands/history.ts')).list,
  },
  {
    name: 'history show',
    about: 'Show one request with all its names',
    takes: 'ID',
    options: FORMAT_OPTIONS,
    examples: ['namewright history show 01a1def5-d599-7cff-8c6e-0ae2b52c5983'],
    load: async () => (await import('./commands/history.ts')).show,
  },
  {
    name: 'history delete',
    about: 'Delete requests from the history',
    takes: 'ID...',
    options: [{ name: 'all', about: 'delete the whole history' }, YES],
    examples: [
      'namewright history delete 01a1def5-d599-7cff-8c6e-0ae2b52c5983',
      'namewright history delete --all --yes',
    ],
    load: async () => (await import('./commands/history.ts')).remove,
  },
  {
    name: 'favorites list',
    about: 'List favorites, newest first',
    takes: '',
    options: [
      LIMIT,
      ALL,
      { name: 'search', short: 'q', takes: 'text', about: 'text in the domain, name or note' },
      { name: 'tag', takes: 'text', about: 'only favorites with this tag' },
      { name: 'watched', about: 'only watched favorites' },
      ...FORMAT_OPTIONS,
    ],
    examples: ['namewright favorites', 'namewright favorites list --tag bakery --csv'],
    load: async () => (await import('./commands/favorites.ts')).list,
  },
  {
    name: 'favorites add',
    about: 'Save domains as favorites',
    takes: 'DOMAIN...',
    options: [
      { name: 'note', takes: 'text', about: 'a note about the domain' },
      { name: 'tags', takes: 'list', placeholder: 'A,B', about: 'tags to filter by' },
      { name: 'watch', about: 'watch availability and price for changes' },
      ...FORMAT_OPTIONS,
    ],
    examples: ['namewright favorites add storkloom.com --note "ask the team" --tags bakery --watch'],
    load: async () => (await import('./commands/favorites.ts')).add,
  },
  {
    name: 'favorites remove',
    about: 'Remove favorites',
    takes: 'DOMAIN|ID...',
    options: [],
    examples: ['namewright favorites remove storkloom.com'],
    load: async () => (await import('./commands/favorites.ts')).remove,
  },
  {
    name: 'favorites changes',
    about: 'Show the changes of a watched favorite',
    takes: 'DOMAIN|ID',
    options: FORMAT_OPTIONS,
    examples: ['namewright favorites changes storkloom.com'],
    load: async () => (await import('./commands/favorites.ts')).changes,
  },
  {
    name: 'favorites watch',
    about: 'Watch favorites for changes',
    takes: 'DOMAIN|ID...',
    options: FORMAT_OPTIONS,
    examples: ['namewright favorites watch storkloom.com'],
    load: async () => (await import('./commands/favorites.ts')).watch,
  },
  {
    name: 'favorites unwatch',
    about: 'Stop watching favorites',
    takes: 'DOMAIN|ID...',
    options: FORMAT_OPTIONS,
    examples: ['namewright favorites unwatch storkloom.com'],
    load: async () => (await import('./commands/favorites.ts')).unwatch,
  },
  {
    name: 'batch run',
    about: 'Suggest names for every row of a CSV file; resumes after an interruption',
    takes: 'FILE.csv',
    words: 'files',
    options: [
      {
        name: 'out',
        short: 'o',
        takes: 'text',
        placeholder: 'FILE',
        about: 'write the results to this file instead of standard output',
      },
      { name: 'restart', about: 'start a new run, which is charged again; the old results stay on the service' },
      ...NAME_OPTIONS,
      ...FORMAT_OPTIONS.filter(({ name }) => name !== 'json'),
    ],
    notes: [
      'The first row names the columns: description, and any of count, tlds, language, styles, max_price … as in the API.',
      'A column “id” is copied to the results. Options apply where a column is missing or empty.',
      'Run the same command again after Ctrl-C, a crash or a lost connection: it resumes, and nothing is charged twice.',
    ],
    examples: ['namewright batch run shops.csv --count 3 --tlds com --out names.csv'],
    load: async () => (await import('./commands/batch-run.ts')).batchRun,
  },
  {
    name: 'batch status',
    about: 'Show the progress of a batch; without an id, list the newest batches',
    takes: '[ID]',
    options: [LIMIT, ALL, ...FORMAT_OPTIONS],
    examples: ['namewright batch status', 'namewright batch status 01a1def5-d599-7cff-8c6e-0ae2b52c5983 --json'],
    load: async () => (await import('./commands/batch.ts')).status,
  },
  {
    name: 'batch results',
    about: 'Show the results of a batch so far',
    takes: 'ID',
    options: FORMAT_OPTIONS,
    examples: ['namewright batch results 01a1def5-d599-7cff-8c6e-0ae2b52c5983 --csv'],
    load: async () => (await import('./commands/batch.ts')).results,
  },
  {
    name: 'batch cancel',
    about: 'Cancel a batch; unfinished rows are not charged',
    takes: 'ID',
    options: FORMAT_OPTIONS,
    examples: ['namewright batch cancel 01a1def5-d599-7cff-8c6e-0ae2b52c5983'],
    load: async () => (await import('./commands/batch.ts')).cancel,
  },
  {
    name: 'batch delete',
    about: 'Delete a batch that has ended, with its results',
    takes: 'ID',
    options: [],
    examples: ['namewright batch delete 01a1def5-d599-7cff-8c6e-0ae2b52c5983'],
    load: async () => (await import('./commands/batch.ts')).remove,
  },
  {
    name: 'tlds',
    about: 'List the supported suffixes and their prices, most popular first',
    takes: '',
    options: [
      { ...LIMIT, range: [1, 1000] },
      { name: 'all', about: 'all suffixes instead of the first 20' },
      { name: 'search', short: 'q', takes: 'text', about: 'text in the suffix' },
      ALONE,
      { name: 'currency', takes: 'text', placeholder: 'XXX', about: 'currency of prices: EUR' },
      ...FORMAT_OPTIONS,
    ],
    examples: ['namewright tlds', 'namewright tlds --search co --currency EUR --json'],
    load: async () => (await import('./commands/tlds.ts')).tlds,
  },
  {
    name: 'webhooks list',
    about: 'List the webhooks of the account',
    takes: '',
    options: FORMAT_OPTIONS,
    examples: ['namewright webhooks', 'namewright webhooks list --json'],
    load: async () => (await import('./commands/webhooks.ts')).list,
  },
  {
    name: 'webhooks create',
    about: 'Create a webhook; shows its signing secret once',
    takes: 'URL',
    options: [
      { name: 'events', takes: 'list', placeholder: 'A,B', oneOf: EVENTS, about: 'events to send' },
      { name: 'description', takes: 'text', about: 'a description of the webhook' },
      ...FORMAT_OPTIONS,
    ],
    examples: [
      'namewright webhooks create https://hooks.example.com/namewright --events favorite.available,batch.completed',
    ],
    load: async () => (await import('./commands/webhooks.ts')).create,
  },
  {
    name: 'webhooks delete',
    about: 'Delete webhooks',
    takes: 'ID...',
    options: [YES],
    examples: ['namewright webhooks delete 01a1def5-d599-7cff-8c6e-0ae2b52c5983 --yes'],
    load: async () => (await import('./commands/webhooks.ts')).remove,
  },
  {
    name: 'webhooks test',
    about: 'Send a webhook.test event now and show the delivery',
    takes: 'ID',
    options: FORMAT_OPTIONS,
    notes: ['Exit code 0: the event was delivered. 5: it was not delivered.'],
    examples: ['namewright webhooks test 01a1def5-d599-7cff-8c6e-0ae2b52c5983'],
    load: async () => (await import('./commands/webhooks.ts')).test,
  },
  {
    name: 'status',
    about: 'Show the status of the service: its dependencies and sources',
    takes: '',
    options: FORMAT_OPTIONS,
    notes: [
      'Exit code 0: everything is healthy. 5: a dependency is degraded or unreachable, or a source cannot be used.',
    ],
    examples: ['namewright status', 'namewright status --json'],
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'usage',
    about: 'Show usage by day and the remaining quota',
    takes: '',
    options: [
      { name: 'days', takes: 'integer', range: [1, 62], about: 'number of days, including today (default 7)' },
      ...FORMAT_OPTIONS,
    ],
    examples: ['namewright usage', 'namewright usage --days 31 --csv'],
    load: async () => (await import('./commands/usage.ts')).usage,
  },
  {
    name: 'keys',
    about: 'Show the API key or sign-in in use and its remaining quota',
    takes: '',
    options: FORMAT_OPTIONS,
    examples: ['namewright keys'],
    load: async () => (await import('./commands/keys.ts')).keys,
  },
  {
    name: 'login',
    about: 'Sign in with a browser instead of an API key',
    takes: '',
    options: [
      { name: 'paste', about: 'without a browser on this machine: open the URL elsewhere and paste the redirect URL' },
      { name: 'scopes', takes: 'list', placeholder: 'A,B', about: 'request only these scopes' },
      { name: 'mcp', about: 'sign in for “namewright mcp”, which needs a separate sign-in' },
    ],
    examples: ['namewright login', 'namewright login --paste'],
    load: async () => (await import('./commands/login.ts')).login,
  },
  {
    name: 'logout',
    about: 'Sign out and remove the stored API key',
    takes: '',
    options: [],
    examples: ['namewright logout'],
    load: async () => (await import('./commands/login.ts')).logout,
  },
  {
    name: 'config list',
    about: 'List all settings and where they come from',
    takes: '',
    options: FORMAT_OPTIONS,
    examples: ['namewright config'],
    load: async () => (await import('./commands/config.ts')).list,
  },
  {
    name: 'config get',
    about: 'Show one setting',
    takes: 'NAME',
    options: [],
    examples: ['namewright config get url'],
    load: async () => (await import('./commands/config.ts')).get,
  },
  {
    name: 'config set',
    about: 'Store a setting; an API key is prompted for or read from standard input',
    takes: 'NAME [VALUE]',
    options: [],
    examples: ['namewright config set tlds com,co', 'namewright config set key < key.txt'],
    load: async () => (await import('./commands/config.ts')).set,
  },
  {
    name: 'config unset',
    about: 'Remove a setting',
    takes: 'NAME',
    options: [],
    examples: ['namewright config unset tlds'],
    load: async () => (await import('./commands/config.ts')).unset,
  },
  {
    name: 'config path',
    about: 'Show the path of the settings file',
    takes: '',
    options: [],
    examples: ['namewright config path'],
    load: async () => (await import('./commands/config.ts')).path,
  },
  {
    name: 'completion',
    about: 'Print a completion script for your shell',
    takes: 'SHELL',
    words: SHELLS,
    options: [],
    examples: ['source <(namewright completion bash)'],
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  {
    name: 'mcp',
    about: 'Serve the Model Context Protocol on standard input and output, for agents',
    takes: '',
    options: [MODEL, ...LOCAL],
    examples: ['namewright mcp'],
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  {
    name: 'prove',
    about: 'Check 60 domains of known state from this machine, and count what is wrong',
    takes: '',
    options: [
      DEADLINE,
      ...LOCAL,
      { name: 'seed', takes: 'text', about: 'makes the free domains of an earlier run of the same day again' },
      { name: 'json', about: 'print one JSON document' },
    ],
    notes: [
      'Exit code 0: nothing was wrong. 1: a verdict was wrong. 5: no verdict was definite. 6: there is no network.',
    ],
    examples: ['namewright prove', 'namewright prove --sources rdap,dns --json'],
    load: async () => (await import('./commands/prove.ts')).proveCommand,
  },
  {
    name: 'demo',
    about: 'Run the whole service on this machine with made-up domains; Ctrl-C stops it',
    takes: '',
    options: [],
    notes: ['Runs the package @namewright/server, and downloads it with npx if it is not installed.'],
    examples: ['namewright demo'],
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  {
    name: 'help',
    about: 'Show how to use a command',
    takes: '[COMMAND]',
    options: [],
    examples: ['namewright help batch run'],
    load: async () => (await import('./commands/help.ts')).help,
  },
  {
    name: 'version',
    about: 'Show the version',
    takes: '',
    options: [],
    examples: ['namewright version'],
    load: async () => (await import('./commands/version.ts')).version,
  },
]
