/**
 * Sheets for readers who do not know who made which name.
 *
 * For each description the names of all makers are one list: each name once, shuffled, written alike, with two names
 * of other descriptions as a control. The key says who made which; only the tally reads it.
 */
import { shuffleByHash } from '../picks.ts'

export interface Described {
  readonly id: string
  readonly description: string
  readonly private?: boolean
}

/** Names by maker, best first. */
export type Made = ReadonlyMap<string, readonly string[]>

/** By description, then by name: who made it. */
export type Key = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

export interface Sheets {
  /** Markdown, one text for each reader's share of the descriptions. */
  readonly pages: readonly string[]
  readonly key: Key
}

export const CONTROL = 'control'
// Far enough apart in any order that the other project has nothing to do with this one.
const CONTROLS_AT = [17, 31]

export function makeSheets(
  described: readonly Described[],
  madeFor: (id: string) => Made,
  { sheets, seed }: { readonly sheets: number; readonly seed: string },
): Sheets {
  const key = Object.fromEntries(
    described.map(({ id }, at) => [id, Object.fromEntries(withControls(id, at, described, madeFor))]),
  )
  const pages = Array.from({ length: sheets }, (_, sheet) =>
    described
      .filter((_one, at) => at % sheets === sheet)
      .map(({ id, description }) => pageOf(id, description, namesOn(key, id, seed)))
      .join('\n\n'),
  )
  return { pages, key }
}

/** The names of a description, in the order of its sheet. */
export function namesOn(key: Key, id: string, seed: string): string[] {
  return shuffleByHash(Object.keys(key[id] ?? {}), `${seed} ${id}`, (name) => name)
}

function withControls(
  id: string,
  at: number,
  described: readonly Described[],
  madeFor: (id: string) => Made,
): Map<string, string[]> {
  const makers = new Map<string, string[]>()
  for (const [maker, names] of madeFor(id)) {
    for (const name of new Set(names)) makers.set(name, [...(makers.get(name) ?? []), maker])
  }
  for (const distance of CONTROLS_AT) {
    const other = described[(at + distance) % described.length]
    const [name] = other === undefined || other.id === id ? [] : [...madeFor(other.id).values()].flat()
    if (name !== undefined && !makers.has(name)) makers.set(name, [CONTROL])
  }
  return makers
}

function pageOf(id: string, description: string, names: readonly string[]): string {
  const lines = names.map((name, at) => `${at + 1} ${name}`)
  return [`## ${id}: ${description}`, ...lines].join('\n')
}
