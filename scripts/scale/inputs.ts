/**
 * The inputs of the calculator: each with its default and where that comes from. A default that nobody has measured is an
 * **example**, above all the prices: replace it by yours.
 */
export interface Input {
  readonly about: string
  readonly default: number
  /** Nobody has measured it, and yours is another. */
  readonly example: boolean
  readonly least?: number
  readonly most?: number
}

const example = (about: string, value: number, range: { least?: number; most?: number } = {}): Input => ({
  about,
  default: value,
  example: true,
  ...range,
})
const known = (about: string, value: number, range: { least?: number; most?: number } = {}): Input => ({
  about,
  default: value,
  example: false,
  ...range,
})
const SHARE = { least: 0, most: 1 }

export const INPUTS = {
  'generate-per-second': example('generates in a second, when most is going on', 10),
  'average-share': example('the average of a month, as a share of that', 0.4, SHARE),
  count: example('names asked for in one', 10, { least: 1, most: 100 }),
  'new-share': example('generates whose names nobody has asked about lately', 0.5, SHARE),
  accounts: example('accounts', 1_000),
  'bytes-per-account': example('of an account with its keys and members in PostgreSQL', 4_000),
  'history-days': example('days that history is kept; 0 keeps none', 90, { least: 0 }),
  index: known('1 with an index of registered names, 0 without', 0, SHARE),
  'index-names': known('names in it; about 370 million are registered', 370e6),
  'index-listed': example('candidates that it lists, which DNS is then not asked about', 0.5, SHARE),
  'busy-share': example('how much of a core may be busy, so that a lost node can be made up for', 0.5, {
    least: 0.05,
    most: 1,
  }),
  'node-cores': example('cores of a node', 2, { least: 1 }),
  'node-gib': example('memory of a node', 4, { least: 1 }),
  'spare-nodes': example('nodes that may be missing', 1),
  'postgres-cores': example('cores of a server of PostgreSQL', 8, { least: 1 }),
  'postgres-gib': example('memory of a server of PostgreSQL', 32, { least: 1 }),
  'postgres-commits': example('commits a second that one server does', 5_000, { least: 1 }),
  'postgres-disk-gib': example('disk of one server', 2_000, { least: 1 }),
  'postgres-copies': example('copies of the data: a primary and its standbys', 2, { least: 1 }),
  'redis-gib': example('memory of a server of Redis', 8, { least: 1 }),
  'redis-copies': example('a master and its replicas', 2, { least: 1 }),
  'verdict-minutes': example(
    'how long Redis remembers a verdict: at most 5 minutes for absent, hours for registered',
    60,
  ),
  'rdap-hosts': example('registries of the suffixes that are offered', 4, { least: 1 }),
  'rdap-per-second': known('questions a second to one registry; we begin with 1', 1),
  'registrar-share': example('shown domains that a registrar answers for, so that no registry is asked', 0, SHARE),
  'price-core-hour': example('price of a core for an hour, its memory not included', 0.03),
  'price-gib-hour': example('price of a GiB of memory for an hour', 0.004),
  'price-disk-gib-month': example('price of a GiB of disk for a month', 0.1),
  'price-traffic-gib': example('price of a GiB sent out', 0.05),
} as const satisfies Record<string, Input>

export type Inputs = Readonly<Record<keyof typeof INPUTS, number>>

/** Throws with what is wrong with which. */
export function parseInputs(words: readonly string[]): Inputs {
  const values: Record<string, number> = Object.fromEntries(
    Object.entries(INPUTS).map(([name, of]) => [name, of.default]),
  )
  const table: Record<string, Input> = INPUTS
  for (let i = 0; i < words.length; i += 2) {
    const [flag = '', text = ''] = words.slice(i, i + 2)
    const name = flag.replace(/^--/, '')
    const input = flag.startsWith('--') ? table[name] : undefined
    if (!input) throw new Error(`${flag}: there is no such input`)
    const value = Number(text)
    const { least = 0, most = Infinity } = input
    if (text.trim() === '' || !(value >= least && value <= most)) {
      throw new Error(
        `${flag}: ${text || 'nothing'} is not a number from ${least}${most === Infinity ? '' : ` to ${most}`}`,
      )
    }
    values[name] = value
  }
  return values as Inputs
}
