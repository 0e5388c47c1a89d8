/** The descriptions names are marked for, with the names a good namer gave them: casebook and English exemplars, all ours. */
import { readFileSync } from 'node:fs'

export interface Case {
  readonly description: string
  readonly names: readonly string[]
}

export function readCases(): Case[] {
  const rows = ['casebook', 'exemplars'].flatMap((file) =>
    readFileSync(new URL(`../data/${file}.jsonl`, import.meta.url), 'utf8')
      .split('\n')
      .filter(Boolean),
  )
  return rows
    .map((line) => JSON.parse(line) as { description: string; language?: string; names: (string | { name: string })[] })
    .filter(({ language = 'English' }) => language === 'English')
    .map(({ description, names }) => ({
      description,
      names: names.map((name) => (typeof name === 'string' ? name : name.name)),
    }))
}
