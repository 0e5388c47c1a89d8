/**
 * `pnpm eval blind`: everything around a blind reading but the reading.
 *
 *   --prompts              what the service would send to a language model for each description
 *   --popular FILE         sheets for readers, and the key; the labels of these domains, one a line, count as taken
 *   --marks FOLDER         what the readers' marks say; files are READER-anything.txt
 *   --marks FOLDER --keep NAME   the same, and the raw marks to readings/NAME.jsonl
 *
 * Everything lies in out/blind/: `descriptions.jsonl` ({id, description}; with `private: true` a reading
 * keeps only its hash), `plain.jsonl` ({id, names}: what a language model
 * that sees only the description proposes when plainly asked) and `replies.jsonl` ({id, reply}: its replies to our
 * prompts). Without the last two files their makers are left out.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { PROMPT_VERSION, writePrompt } from '../../server/src/language-model/prompt.ts'
import { createProposalReader } from '../../server/src/language-model/proposals.ts'
import type { GenerateRequest } from '../../server/src/model/generate-request.ts'
import type { NameProposal } from '../../server/src/model/name.ts'
import { openNames, type Names } from '../../server/src/names/names.ts'
import { plainNameRequest } from '../../server/src/names/plain-name-request.ts'
import { readDictionary } from '../dictionary.ts'
import { readPopular } from '../popular.ts'
import { openPressure } from '../pressure.ts'
import { parseMarks, sharesOf, tellShares, type Marks } from './marks.ts'
import { makeSheets, namesOn, type Described, type Key, type Made } from './sheet.ts'

const FOLDER = `${import.meta.dirname}/../out/blind`
const READINGS = `${import.meta.dirname}/../readings`
const NAMES_PER_MAKER = 8
const NAMES_PER_PROMPT = 12
const PROPOSALS = 120
const SHEETS = 8
const PLAIN = 'plain'

export interface BlindOptions {
  readonly seed: string
  readonly popular?: string | undefined
  readonly prompts?: boolean | undefined
  readonly marks?: string | undefined
  readonly keep?: string | undefined
}

/** Returns the message for the operator. */
export async function runBlind({ seed, popular, prompts, marks, keep }: BlindOptions): Promise<string> {
  mkdirSync(FOLDER, { recursive: true })
  if (prompts === true) return writePrompts()
  if (marks !== undefined) return tellMarks(marks, keep)
  return writeSheets(seed, popular)
}

function writePrompts(): string {
  const rows = descriptions().map(({ id, description }) => {
    const request: Pick<GenerateRequest, 'names' | 'include' | 'language'> = {
      names: plainNameRequest(description),
      include: [],
      language: 'en',
    }
    return { id, version: PROMPT_VERSION, ...writePrompt(request as GenerateRequest, NAMES_PER_PROMPT) }
  })
  writeLines('prompts.jsonl', rows)
  return `${rows.length} prompts: ${FOLDER}/prompts.jsonl. Write each reply as {id, reply} to replies.jsonl.`
}

async function writeSheets(seed: string, popular: string | undefined): Promise<string> {
  const pressure = openPressure(readDictionary(), popular === undefined ? new Set() : readPopular(popular))
  const plain = new Map(linesOf<{ id: string; names: string[] }>('plain.jsonl').map((row) => [row.id, row.names]))
  const replies = new Map(linesOf<{ id: string; reply: string }>('replies.jsonl').map((row) => [row.id, row.reply]))
  const isFree = (name: string) => !pressure.isTaken(labelOf(name))
  const made = new Map<string, Made>()
  await using engine = await openNames()
  for (const { id, description } of descriptions()) {
    const makers = new Map([
      [PLAIN, plain.get(id) ?? []],
      ['engine with model', await namesOf(engine, description, proposalsOf(replies.get(id) ?? ''))],
      ['engine', await namesOf(engine, description, undefined)],
    ])
    for (const [maker, names] of makers)
      makers.set(maker, names.map(writeAlike).filter(isFree).slice(0, NAMES_PER_MAKER))
    made.set(id, makers)
  }
  const { pages, key } = makeSheets(descriptions(), (id) => made.get(id) ?? new Map(), { sheets: SHEETS, seed })
  for (const [at, page] of pages.entries()) writeFileSync(`${FOLDER}/sheet-${at + 1}.md`, `${page}\n`)
  writeFileSync(`${FOLDER}/key.json`, `${JSON.stringify({ seed, key })}\n`)
  return `To read: ${FOLDER}/sheet-1.md to ${SHEETS}.\nNot to read before the marks are made: key.json`
}

/** Without proposals: the built-in names. With an empty list: nothing. */
async function namesOf(engine: Names, description: string, proposals: readonly NameProposal[] | undefined) {
  if (proposals?.length === 0) return []
  const ask = { ...plainNameRequest(description), ...(proposals === undefined ? {} : { proposals }) }
  const made = await engine.propose(ask, PROPOSALS, new AbortController().signal)
  return made.map(({ name }) => name)
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

function proposalsOf(reply: string): NameProposal[] {
  const reader = createProposalReader(NAMES_PER_PROMPT)
  return [...reader.add(reply), ...reader.end()]
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
  return [...readers].map(([reader, marks]) => tellShares(reader, sharesOf(key, seed, marks), PLAIN)).join('\n\n')
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
