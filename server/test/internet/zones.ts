/**
 * Which domains exist in the loopback internet, and the zone files that say so.
 *
 * Every suffix gets one zone of delegations, as a registry publishes it:
 *   - every word of `taken-words.txt` in com, and a share of them, chosen by hash, elsewhere;
 *   - in com also a share of compounds (a word and one of SECOND_PARTS), so that good names are often gone;
 *   - `taken-for-sure.<suffix>`, always; a name that starts with `free-for-sure-`, never;
 *   - `nic.<suffix>` and the names of `data/rdap.json` by which resolvers and registries are tested;
 *   - in the large internet, also a share of `large-names.ts`: 1.5 million delegations in all.
 * Zones that are no registry's: a suffix where every name seems to exist, one domain that is for sale, and the stamp
 * by which `scripts/services` knows its own servers.
 *
 * Zone text has the form of CZDS (ICANN's base registry agreement, specification 4 §2.1.4): one record per line, full
 * names, tabs, lower case, no directives; the same file serves NSD and the index.
 *
 * Pure and without randomness: tests ask `isDelegated` and never parse a zone file.
 */
import { hash } from 'node:crypto'
import { createLargeNames } from './large-names.ts'

interface Registry {
  /** Of the words, how many are delegated, 0..1. */
  readonly share: number
  /** Of the large internet's names. */
  readonly largeShare: number
  /** What the SOA lets a resolver keep an NXDOMAIN for; registries really do differ in this. */
  readonly negativeTtlSeconds: number
}

export const REGISTRIES: Readonly<Record<string, Registry>> = {
  com: { share: 1, largeShare: 0.467, negativeTtlSeconds: 900 },
  net: { share: 0.6, largeShare: 0.0935, negativeTtlSeconds: 900 },
  org: { share: 0.5, largeShare: 0.0937, negativeTtlSeconds: 3600 },
  io: { share: 0.45, largeShare: 0.0193, negativeTtlSeconds: 3600 },
  dev: { share: 0.25, largeShare: 0.0133, negativeTtlSeconds: 60 },
  ai: { share: 0.35, largeShare: 0.0135, negativeTtlSeconds: 3600 },
  app: { share: 0.25, largeShare: 0.003, negativeTtlSeconds: 300 },
  co: { share: 0.45, largeShare: 0.003, negativeTtlSeconds: 900 },
  'co.uk': { share: 0.3, largeShare: 0.001, negativeTtlSeconds: 120 },
}

/** As in the real internet: what is registered there for certain. */
const CONTROL_LABELS: Readonly<Record<string, string>> = {
  com: 'google',
  net: 'php',
  org: 'google',
  io: 'github',
  dev: 'web',
  ai: 'x',
  app: 'cash',
  co: 'google',
  'co.uk': 'google',
}

export const STAMP_ZONE = 'namewright-test'
export const ALWAYS_TAKEN = 'taken-for-sure'
/** Here every label has an answer, as under a few real suffixes. */
export const WILDCARD_SUFFIX = 'wildcard-test'
/** Delegated, and served: it has `_for-sale` records, and `crowded` below it more of them than fit a datagram. */
export const FOR_SALE_DOMAIN = 'for-sale-for-sure.com'

const FOR_SALE_TEXTS = ['ftxt=Ask for a price', 'furi=https://sales.example/for-sale-for-sure', 'fval=USD750']
const CROWDED_TEXTS = ['a', 'b', 'c', 'd'].map((letter) => `ftxt=${letter.repeat(200)}`)

const COMPOUND_SHARE = 0.4
const FIRST_PART_COUNT = 300
const SECOND_PARTS = (
  'kin keep stead smith wick ling loom folk wise well line wright mark mate light mill sight hand house side ' +
  'row bird bell berry hub lab works base flow nest spot box kit pad cast port path way yard stone field wood ' +
  'brook forge craft space point shop desk board list book mind link pulse wave grid stack cloud'
).split(' ')

export type Size = 'small' | 'large'

export interface Internet {
  isDelegated(domain: string): boolean
  /** Every delegated label of one suffix, in order; of the large internet's com that is a million. */
  labelsOf(suffix: string): readonly string[]
  /** The zones there are, and the lines of one. */
  zones(): readonly string[]
  zoneLines(zone: string, stamp: string): Generator<string>
}

export function createInternet(takenWords: string, size: Size = 'small'): Internet {
  const words = takenWords.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const small = new Map(
    Object.entries(REGISTRIES).map(([suffix, { share }]) => [suffix, labelsIn(suffix, share, words)]),
  )
  const large = size === 'large' ? createLargeNames(words) : undefined

  function labelsOf(suffix: string): readonly string[] {
    const labels = [...(small.get(suffix) ?? [])]
    for (const label of large?.walk() ?? []) if (isDrawn(label, suffix)) labels.push(label)
    labels.sort()
    return labels.filter((label, index) => label !== labels[index - 1])
  }

  return {
    isDelegated(domain) {
      const dot = domain.indexOf('.')
      const [label, suffix] = [domain.slice(0, dot), domain.slice(dot + 1)]
      if (small.get(suffix)?.has(label) === true) return true
      return large !== undefined && isDrawn(label, suffix) && large.has(label)
    },
    labelsOf,
    zones: () => [...Object.keys(REGISTRIES), STAMP_ZONE, WILDCARD_SUFFIX, FOR_SALE_DOMAIN],
    *zoneLines(zone, stamp) {
      yield* apexLines(zone, REGISTRIES[zone]?.negativeTtlSeconds ?? 0)
      if (zone === STAMP_ZONE) yield `stamp.${zone}.\t0\tin\ttxt\t"${stamp}"`
      if (zone === WILDCARD_SUFFIX) yield `*.${zone}.\t60\tin\ta\t127.0.0.1`
      if (zone === FOR_SALE_DOMAIN) {
        for (const text of FOR_SALE_TEXTS) yield `_for-sale.${zone}.\t60\tin\ttxt\t"v=FORSALE1;${text}"`
        for (const text of CROWDED_TEXTS) yield `_for-sale.crowded.${zone}.\t60\tin\ttxt\t"v=FORSALE1;${text}"`
      }
      if (Object.hasOwn(REGISTRIES, zone)) for (const label of labelsOf(zone)) yield* delegationLines(label, zone)
    },
  }
}

function labelsIn(suffix: string, share: number, words: readonly string[]): ReadonlySet<string> {
  const labels = new Set([ALWAYS_TAKEN, 'nic', CONTROL_LABELS[suffix] ?? 'nic'])
  for (const word of words) if (draw(`${word}.${suffix}`) < share) labels.add(word)
  if (suffix !== 'com') return labels
  labels.add(FOR_SALE_DOMAIN.slice(0, -'.com'.length))
  // The list is alphabetical: a stride takes first parts from the whole of it, not only from "a".
  const stride = Math.max(1, Math.floor(words.length / FIRST_PART_COUNT))
  for (let index = 0; index < FIRST_PART_COUNT; index++) {
    const first = words[index * stride]
    if (first === undefined) break
    for (const second of SECOND_PARTS) {
      if (draw(`${first}+${second}`) < COMPOUND_SHARE) labels.add(first + second)
    }
  }
  return labels
}

/** The same number in [0, 1) for the same text, on every machine. */
function draw(text: string): number {
  return Number.parseInt(hash('sha256', text).slice(0, 8), 16) / 2 ** 32
}

/** As `draw`, for two million labels in each of nine suffixes: a hash of a few nanoseconds instead of a thousand. */
function isDrawn(label: string, suffix: string): boolean {
  return mix(label, mix(suffix, 0x811c9dc5)) / 2 ** 32 < (REGISTRIES[suffix]?.largeShare ?? 0)
}

/** FNV-1a, finished so that also the high bits depend on every character. */
function mix(text: string, start: number): number {
  let value = start
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

function* apexLines(zone: string, negativeTtlSeconds: number): Generator<string> {
  const timers = `1 7200 900 604800 ${negativeTtlSeconds}`
  yield `${zone}.\t${negativeTtlSeconds}\tin\tsoa\tns.registry.test. hostmaster.registry.test. ${timers}`
  yield `${zone}.\t3600\tin\tns\tns.registry.test.`
}

/** What a registry says of one domain: often more than one record, now and then a key or an address of its own. */
function* delegationLines(label: string, suffix: string): Generator<string> {
  const domain = `${label}.${suffix}.`
  const sort = mix(label, 0) % 200
  yield `${domain}\t3600\tin\tns\tns1.hosting.test.`
  if (sort < 20) yield `${domain}\t3600\tin\tns\tns2.hosting.test.`
  if (sort < 4) yield `${domain}\t3600\tin\tds\t4711 13 2 ${hash('sha256', domain)}`
  if (sort === 199) {
    yield `${domain}\t3600\tin\tns\tns1.${domain}`
    yield `ns1.${domain}\t3600\tin\ta\t127.0.0.1`
  }
}
