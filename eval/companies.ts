/**
 * Real companies with their one-line descriptions: what the engine is measured on, and against.
 *
 * The list lies beside the repository and is no part of it; without it the measures that need it are left out. Its
 * field `split` is frozen: `test` is for measuring only and nothing of it may reach the engine or its data.
 */
import { existsSync, readFileSync } from 'node:fs'
import { shuffleByHash } from './picks.ts'

export const COMPANIES_FILE = `${import.meta.dirname}/../../shared/data/companies.jsonl`

export type Split = 'tune' | 'test'

export interface Company {
  readonly name: string
  readonly description: string
  readonly industry: string
  readonly split: Split
}

/** undefined when the list is not there. */
export function findCompanies(path = COMPANIES_FILE): readonly Company[] | undefined {
  if (!existsSync(path)) return undefined
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Company)
}

/** A sample of one split that stays the same for the same seed, whatever else is in the list. */
export function pickCompanies(
  companies: readonly Company[],
  { split, size, seed }: { split: Split; size: number; seed: string },
): Company[] {
  const fit = companies.filter((company) => company.split === split && !saysItsName(company))
  return shuffleByHash(fit, seed, ({ name, description }) => `${name}\n${description}`).slice(0, size)
}

/** A description that says the name would hand it to the engine, and to the judge. */
export function saysItsName({ name, description }: Pick<Company, 'name' | 'description'>): boolean {
  const words = description.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()
  const said = name.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return ` ${words} `.includes(` ${said} `) || (said.length > 4 && words.toLowerCase().includes(said.toLowerCase()))
}
