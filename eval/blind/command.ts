/**
 * `pnpm eval blind`: everything around a blind reading but the reading.
 *
 *   --popular FILE         sheets for readers, and the key; the labels of these domains, one a line, count as taken
 *   --compounds N          how many compounds of two words are taken; ten million if absent
 *   --marks FOLDER         what the readers' marks say; files are READER-anything.txt
 *   --marks FOLDER --keep NAME   the same, and the raw marks to readings/NAME.jsonl
 *
 * Everything lies in out/blind/: `descriptions.jsonl` ({id, description}; with `private: true` a reading keeps only its
 * hash), `plain.jsonl` ({id, names}: what a language model that sees only the description proposes when plainly asked
 * for ten names) and `replies.jsonl` ({message, reply}: its replies to what the service asks). Requests of the service
 * without a reply are written to `unanswered.jsonl`: let the model answer them, and run the command again.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readDictionary } from '../dictionary.ts'
import { readPopular } from '../popular.ts'
import { COMPOUNDS, openPressure } from '../pressure.ts'
import { NAMES_PER_ANSWER, parseMarks, sharesOf, tellAnswers, tellShares, type Marks } from './marks.ts'
import { askService, type Reply } from './service.ts'
import { makeSheets, namesOn, type Described, type Key, type Made } from './sheet.ts'

const FOLDER = `${import.meta.dirname}/../out/blind`
const READINGS = `${import.meta.dirname}/../readings`
const SHEETS = 8
const PLAIN = 'plain'

export interface BlindOptions {
  readonly seed: string
  readonly popular?: string | undefined
  readonly compounds?: number | undefined
  readonly marks?: string | undefined
  readonly keep?: string | undefined
}

/** Returns the message for the operator. */
export async function runBlind({ seed, popular, compounds = COMPOUNDS, marks, keep }: BlindOptions): Promise<string> {
  mkdirSync(FOLDER, { recursive: true })
  if (marks !== undefined) return tellMarks(marks, keep)
  return writeSheets(seed, popular, compounds)
}

async function writeSheets(seed: string, popular: string | undefined, compounds: number): Promise<string> {
  const known = popular === undefined ? new Set<string>() : readPopular(popular)
  const pressure = openPressure(readDictionary(), known, compounds)
  const replies = linesOf<Reply>('replies.jsonl')
  const service = await askService(descriptions(), { pressure, replies, count: NAMES_PER_ANSWER })
  writeLines('unanswered.jsonl', service.unanswered)
  if (service.unanswered.length > 0) {
    return `${service.unanswered.length} requests without a reply: ${FOLDER}/unanswered.jsonl. Add {message, reply} to replies.jsonl.`
  }
  const plain = new Map(linesOf<{ id: string; names: string[] }>('plain.jsonl').map((row) => [row.id, row.names]))
  const isFree = (name: string) => !pressure.isTaken(labelOf(name))
  const madeFor = (id: string): Made =>
    new Map(
      Object.entries({
        [PLAIN]: plain.get(id)?.slice(0, NAMES_PER_ANSWER).filter(isFree),
        'service with model': service.withModel.get(id),
        'built-in names': service.builtIn.get(id),
      }).map(([maker, names = []]) => [maker, names.map(writeAlike)]),
    )
  const { pages, key } = makeSheets(descriptions(), madeFor, { sheets: SHEETS, seed })
  for (const [at, page] of pages.entries()) writeFileSync(`${FOLDER}/sheet-${at + 1}.md`, `${page}\n`)
  writeFileSync(`${FOLDER}/key.json`, `${JSON.stringify({ seed, key })}\n`)
  return `To read: ${FOLDER}/sheet-1.md to ${SHEETS}.\nNot to read before the marks are made: key.json`
}

/** As the app shows names: words apart, each with a capital, "and" as "&". */
function writeAlike(name: string): string {
  return name
    .trim()
    .split(/\s+/)
    .map((word) => (/^and$/i.test(word) ? '&' : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ')
}

function labelOf(name: string): string {
  return name
    .replaceAll('&', 'and')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}

function tellMarks(folder: string, keep: string | undefined): string {
  const { seed, key } = JSON.parse(readFileSync(`${FOLDER}/key.json`, 'utf8')) as { seed: string; key: Key }
  const readers = new Map<string, Map<string, ReadonlySet<number>>>()
  for (const file of globSync(`${folder}/*-*.txt`).toSorted()) {
    const reader = file.replace(/^.*\//, '').replace(/-.*$/, '')
    const marks = parseMarks(readFileSync(file, 'utf8'))
    readers.set(reader, new Map([...(readers.get(reader) ?? []), ...marks]))
  }
  if (readers.size === 0) return `There is no file READER-SHEET.txt in ${folder}.`
  if (keep !== undefined) keepMarks(keep, key, seed, readers)
  return [...readers]
    .map(
      ([reader, marks]) =>
        `${tellShares(reader, sharesOf(key, seed, marks), PLAIN)}\n${tellAnswers(key, seed, marks, PLAIN)}`,
    )
    .join('\n\n')
}

/** Descriptions that are not ours to publish are kept as hashes. */
function keepMarks(name: string, key: Key, seed: string, readers: ReadonlyMap<string, Marks>): void {
  const rows = descriptions().map(({ id, description, private: isPrivate = false }) => ({
    id,
    ...(isPrivate ? { sha256: hashOf(description) } : { description }),
    names: namesOn(key, id, seed).map((label, at) => ({
      name: label,
      makers: key[id]?.[label] ?? [],
      marks: Object.fromEntries(
        [...readers].flatMap(([reader, marks]) => {
          const numbers = marks.get(id)
          return numbers === undefined ? [] : [[reader, numbers.has(at + 1) ? 1 : 0]]
        }),
      ),
    })),
  }))
  writeFileSync(`${READINGS}/${name}.jsonl`, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
}

const descriptions = () => linesOf<Described>('descriptions.jsonl')

function linesOf<Row>(file: string): Row[] {
  const path = `${FOLDER}/${file}`
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

function writeLines(file: string, rows: readonly object[]): void {
  writeFileSync(`${FOLDER}/${file}`, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
