/** `pnpm eval names | blind | fields | repeats | benchmark`: how good the names are, by figures and by eye, and what is understood. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { tellBenchmark } from './benchmark/score.ts'
import { runBlind } from './blind/command.ts'
import { measureFields } from './fields/measure.ts'
import { appendHistory } from './history.ts'
import { evaluateNames } from './names.ts'
import { createProgress } from './progress.ts'
import type { NamesOptions } from './questions.ts'
import { renderHtml } from './render/html.ts'
import { renderMarkdown } from './render/markdown.ts'
import { measureRepeats } from './repeats.ts'
import { makeReport } from './report.ts'
import { openWorld } from './world.ts'

const USAGE = `usage: pnpm eval names [--test | --tune] [--size N] [--languages] [--sample SEED]
       pnpm eval blind [--fresh N | --prompts] [--seed S]
       pnpm eval blind --marks FOLDER [--keep NAME]
       pnpm eval fields
       pnpm eval repeats [--seed S]
       pnpm eval benchmark [FILE]`
const TOOLS = `${import.meta.dirname}/../node_modules/.bin`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    test: { type: 'boolean' },
    tune: { type: 'boolean' },
    size: { type: 'string' },
    languages: { type: 'boolean' },
    sample: { type: 'string' },
    seed: { type: 'string' },
    marks: { type: 'string' },
    fresh: { type: 'string' },
    prompts: { type: 'boolean' },
    keep: { type: 'string' },
  },
})
const startedAt = new Date()
const today = startedAt.toISOString().slice(0, 10)

switch (positionals[0]) {
  case 'names':
    await runNames({
      split: values.tune === true ? 'tune' : 'test',
      size: Number(values.size ?? 150),
      onlyLanguages: values.languages === true,
      sampleSeed: values.sample ?? today,
    })
    break
  case 'blind':
    console.log(await runBlind({ ...values, seed: values.seed ?? today }))
    break
  case 'fields':
    await measureFields()
    break
  case 'repeats':
    console.log(await measureRepeats(values.seed ?? today))
    break
  case 'benchmark':
    console.log(tellBenchmark(positionals[1]))
    break
  default:
    console.error(USAGE)
    process.exitCode = 2
}

async function runNames(options: NamesOptions): Promise<void> {
  const world = await openWorld()
  if (world.companies === undefined) {
    console.log('There is no ../shared/data/companies.jsonl: only what needs no company list is measured.\n')
  }
  const evaluation = await evaluateNames(world, options, createProgress(process.stderr, Date.now))
  await world.close()
  const about = `${today}, ${evaluation.asked.companies.length} ${options.split} companies, sample "${options.sampleSeed}". What the figures mean: eval/README.md.`
  const blocks = [{ kind: 'paragraph', text: about } as const, ...makeReport(evaluation)]
  const markdown = renderMarkdown(blocks)
  console.log(markdown)
  console.log(`${((Date.now() - startedAt.getTime()) / 1000).toFixed(0)} s`)
  if (options.onlyLanguages) return
  writeFileSync(`${import.meta.dirname}/report.md`, `# How good the names are\n\n${markdown}`)
  writeFileSync(`${import.meta.dirname}/report.html`, renderHtml('How good the names are', blocks))
  execFileSync(`${TOOLS}/oxfmt`, ['report.md', 'report.html'], { cwd: import.meta.dirname })
  appendHistory(evaluation, options, startedAt)
}
