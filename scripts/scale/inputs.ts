/**
 * The inputs of the calculator: each with its default and where that comes from. A default that was not measured is an
 * **example**, above all the prices: replace it with yours.
 */
export interface Input {
  readonly about: string
  readonly default: number
  /** Not measured: replace it with your own number. */
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
  'generate-per-second': example('generate requests a second at the peak', 10),
  'average-share': example('the average of a month, as a share of the peak', 0.4, SHARE),
  count: example('names requested by each', 10, { least: 1, most: 100 }),
  'new-share': example('share of requests whose names are in no cache', 0.5, SHARE),
  accounts: example('accounts', 1_000),
  'bytes-per-account': example('bytes of an account with its keys and members in PostgreSQL', 4_000),
  'history-days': example('days that history is kept; 0 keeps none', 90, { least: 0 }),
  index: known('1 with an index of registered names, 0 without', 0, SHARE),
  'index-names': known('names in it; about 370 million are registered', 370e6),
  'index-listed': example('share of candidates that it lists; they need no DNS query', 0.5, SHARE),
  'busy-share': example('share of a core that the load may use, so that the other nodes can replace a lost one', 0.5, {
    least: 0.05,
    most: 1,
  }),
  'node-cores': example('cores of a node', 2, { least: 1 }),
  'node-gib': example('memory of a node in GiB', 4, { least: 1 }),
  'spare-nodes': example('nodes that may fail', 1),
  'postgres-cores': example('cores of a PostgreSQL server', 8, { least: 1 }),
  'postgres-gib': example('memory of a PostgreSQL server in GiB', 32, { least: 1 }),
  'postgres-commits': example('commits a second that one PostgreSQL server can write', 5_000, { least: 1 }),
  'postgres-disk-gib': example('disk of a PostgreSQL server in GiB', 2_000, { least: 1 }),
  'postgres-copies': example('copies of the data: a primary and its standbys', 2, { least: 1 }),
  'redis-gib': example('memory of a Redis server in GiB', 8, { least: 1 }),
  'redis-copies': example('copies of the data: a master and its replicas', 2, { least: 1 }),
  'verdict-minutes': example('minutes that Redis caches a verdict: at most 5 for absent, hours for registered', 60),
  'rdap-hosts': example('registries of the suffixes that are offered', 4, { least: 1 }),
  'rdap-per-second': known('lookups a second that one registry allows; the service starts with 1', 1),
  'registrar-share': example('share of shown domains that a registrar checks; they need no RDAP lookup', 0, SHARE),
  'price-core-hour': example('price of a core for an hour, without memory', 0.03),
  'price-gib-hour': example('price of a GiB of memory for an hour', 0.004),
  'price-disk-gib-month': example('price of a GiB of disk for a month', 0.1),
  'price-traffic-gib': example('price of a GiB sent', 0.05),
} as const satisfies Record<string, Input>

export type Inputs = Readonly<Record<keyof typeof INPUTS, number>>

/** Throws an error that names the wrong input. */
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
