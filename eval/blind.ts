/**
 * `eval blind`: three lists of ten names under letters, for somebody who does not know who made which.
 *
 * For each of thirty fresh test descriptions: the engine's names, all free under pressure; the names of ten real companies
 * of the same industry, one of them the company's own; and the description's words with a suffix. The page says nothing of
 * the makers, the key says everything and is for afterwards. Marks come back as lines `07 B: 1 4 9`, the numbers of the names
 * that the reader would consider registering; a line without numbers says "none", and a list without a line was not read.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { answer, NAMES_PER_ANSWER } from './answers.ts'
import { findBareName } from './bare-name.ts'
import { keywordSuffix } from './baselines.ts'
import { pickCompanies, type Company } from './companies.ts'
import { shuffleByHash } from './picks.ts'
import { tally, type Key, type List } from './tally.ts'
import type { World } from './world.ts'

const FOLDER = `${import.meta.dirname}/out`
const PAGE = `${FOLDER}/blind.md`
const KEY = `${FOLDER}/blind-key.json`
const DESCRIPTIONS = 30
const LETTERS = ['A', 'B', 'C'] as const

/** What to tell the operator; undefined without the company list. */
export async function writeBlind(world: World, seed: string): Promise<string | undefined> {
  const { companies } = world
  if (companies === undefined) return undefined
  const key: Key = { seed, lists: [] }
  const pages = [
    `# Which of these would you consider registering?\n\nAnswer with lines like \`07 B: 1 4 9\`; none: \`07 B:\``,
  ]
  const picked = pickCompanies(companies, { split: 'test', size: DESCRIPTIONS, seed: `blind ${seed}` })
  for (const [at, company] of picked.entries()) {
    const id = String(at + 1).padStart(2, '0')
    const lists = await listMakers(world, company, seed)
    const shuffled = shuffleByHash(lists, `${seed} ${id}`, ({ maker }) => maker)
    pages.push(`## ${id}\n\n${company.description}`)
    for (const [index, letter] of LETTERS.entries()) {
      const list = shuffled[index]
      if (list === undefined) continue
      pages.push(`**${letter}** ${list.names.map((name, number) => `${number + 1} ${name}`).join(' · ')}`)
      key.lists.push({ id, letter, ...list })
    }
  }
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(PAGE, `${pages.join('\n\n')}\n`)
  writeFileSync(KEY, `${JSON.stringify(key, undefined, 1)}\n`)
  return `To read: ${PAGE}\nNot to read before the marks are made: ${KEY}`
}

export function readMarks(file: string): string {
  return tally(JSON.parse(readFileSync(KEY, 'utf8')) as Key, readFileSync(file, 'utf8'))
}

async function listMakers(world: World, company: Company, seed: string): Promise<List[]> {
  const { names } = await answer(world.engine, world.pressure, company.description)
  const suffixed = keywordSuffix(company.description, world.pressure, NAMES_PER_ANSWER)
  return [
    { maker: 'engine', names: names.map(({ name }) => name), families: names.map(({ origin }) => origin.style) },
    realNames(world.companies ?? [], company, seed),
    { maker: 'keyword + suffix', names: suffixed.map(({ name }) => name), families: suffixed.map(() => 'suffixed') },
  ]
}

/** Written without their tails ("AI", "Labs"), which would give them away. */
function realNames(companies: readonly Company[], own: Company, seed: string): List {
  const sameField = companies.filter(
    (other) => other.industry === own.industry && other.name !== own.name && findBareName(other.name) !== undefined,
  )
  const others = shuffleByHash(sameField, `${seed} ${own.name}`, ({ name }) => name).slice(0, NAMES_PER_ANSWER - 1)
  const mixed = shuffleByHash([own, ...others], `${seed} mixed ${own.name}`, ({ name }) => name)
  return {
    maker: 'real companies',
    names: mixed.map(({ name }) => capitalise(findBareName(name) ?? name)),
    families: mixed.map((company) => (company === own ? 'its own name' : 'of another company')),
  }
}

function capitalise(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
