/**
 * `node eval/benchmark/build.ts`: writes `marked.jsonl` from two readings. Only everyday descriptions are in it, which are
 * ours to publish; those of companies, which the readings have as SHA-256, are left out.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { MarkedDescription } from './score.ts'
import { CONTROL, linesOf, parseLine } from './score.ts'

const READINGS = `${import.meta.dirname}/../readings/2026-11-17`
const SOURCES: readonly { readonly file: string; readonly makers: Readonly<Record<string, string>> }[] = [
  { file: 'ours.jsonl', makers: { decoy: CONTROL, ours: 'service with a model', engine: 'engine without fields' } },
  { file: 'cells-second.jsonl', makers: { engine: 'engine with fields', families: 'engine without fields' } },
]

export function makeBenchmark(): string {
  const rows = SOURCES.flatMap(({ file, makers }) =>
    linesOf(readFileSync(`${READINGS}/${file}`, 'utf8'))
      .filter((line) => !('sha256' in (JSON.parse(line) as object)))
      .map(parseLine)
      .map(({ id, description, names }): MarkedDescription => ({
        id,
        description,
        names: names.map((one) => ({
          name: one.name,
          makers: one.makers.map((maker) => makers[maker] ?? maker),
          marks: one.marks,
        })),
      })),
  )
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

if (import.meta.main) writeFileSync(`${import.meta.dirname}/marked.jsonl`, makeBenchmark())
