/** One line per run: what was measured when, of which commit, so that a change can be seen to help or to harm. */
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import type { Evaluation } from './names.ts'
import type { NamesOptions } from './questions.ts'

const FILE = `${import.meta.dirname}/history.jsonl`

export function appendHistory(evaluation: Evaluation, options: NamesOptions, at: Date): void {
  const groups = Object.fromEntries([...evaluation.ofGroup].map(([group, figures]) => [group, round(figures)]))
  const line = {
    date: at.toISOString(),
    commit: commitNow(),
    split: options.split,
    asked: evaluation.asked.companies.length,
    ...groups,
    parity: round(Object.fromEntries(evaluation.parity)),
  }
  appendFileSync(FILE, `${JSON.stringify(line)}\n`)
}

function round(figures: object): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, Number(Number(value).toFixed(4))]))
}

/** A plus says that the files were not those of the commit; "unknown" where there is no repository. */
function commitNow(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--', '../server') === '' ? '' : '+')
  } catch {
    return 'unknown'
  }
}
