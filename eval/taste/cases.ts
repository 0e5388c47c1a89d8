/** The descriptions names are marked for: those of the casebook and the English exemplars, which are ours. */
import { readFileSync } from 'node:fs'

export function describedCases(): string[] {
  const rows = ['casebook', 'exemplars'].flatMap((file) =>
    readFileSync(new URL(`../data/${file}.jsonl`, import.meta.url), 'utf8')
      .split('\n')
      .filter(Boolean),
  )
  return rows
    .map((line) => JSON.parse(line) as { description: string; language?: string })
    .filter(({ language = 'English' }) => language === 'English')
    .map(({ description }) => description)
}
