/**
 * `node eval/taste/keep.ts SHEET ANSWERS READER > eval/labels/READER.jsonl`: a marked sheet as pairs.
 *
 * Answers are lines "number: the numbers of the names liked"; a description without a line is left out, one with an
 * empty line has no name that is liked.
 */
import { readFileSync } from 'node:fs'
import type { Marked } from './pairs.ts'

const [sheet = '', answers = '', reader = ''] = process.argv.slice(2)
const liked = new Map(
  readFileSync(answers, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const match = /^(\d+):(.*)$/.exec(line.trim())
      return match === null ? [] : [[Number(match[1]), new Set(match[2]!.match(/\d+/g)?.map(Number))] as const]
    }),
)
const lines = readFileSync(sheet, 'utf8').split('\n')
for (const [at, line] of lines.entries()) {
  const match = /^## (\d+) (.*)$/.exec(line)
  const marks = match === null ? undefined : liked.get(Number(match[1]))
  if (match === null || marks === undefined) continue
  const names = lines[at + 1]!.split(' · ').map((item) => item.replace(/^\d+ /, ''))
  const marked: Marked = {
    description: match[2]!,
    reader,
    yes: names.filter((_, place) => marks.has(place + 1)),
    no: names.filter((_, place) => !marks.has(place + 1)),
  }
  console.log(JSON.stringify(marked))
}
