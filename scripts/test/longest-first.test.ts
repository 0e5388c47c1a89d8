import { existsSync, readFileSync } from 'node:fs'
import { createVitest } from 'vitest/node'
import { expect, it } from 'vitest'

const ROOT = new URL('../../', import.meta.url).pathname
const listed: unknown = JSON.parse(readFileSync(new URL('longest-first.json', import.meta.url), 'utf8'))

it('only files that exist are listed, each with its seconds', () => {
  const entries: [string, unknown][] = Object.entries(listed ?? {})
  expect(entries.filter(([path]) => !path.endsWith('.test.ts') || !existsSync(`${ROOT}${path}`))).toEqual([])
  expect(entries.filter(([, seconds]) => typeof seconds !== 'number' || seconds <= 0)).toEqual([])
})

it('of each project those come first that take longest', async () => {
  const vitest = await createVitest({ root: ROOT, watch: false })
  try {
    const files = await vitest.globTestSpecifications()
    const Sequencer = vitest.config.sequence.sequencer
    // oxlint-disable-next-line unicorn/no-array-sort -- not of an array
    const sorted = await new Sequencer(vitest).sort(files.toReversed())
    const paths = sorted.map(({ moduleId }) => moduleId.slice(ROOT.length))
    const listedSeconds = new Map(Object.entries(listed ?? {}))
    for (const [project, ofOne] of Map.groupBy(sorted, (one) => one.project.name)) {
      const seconds = ofOne.map(({ moduleId }) => Number(listedSeconds.get(moduleId.slice(ROOT.length)) ?? 0))
      expect(seconds[0], project).toBeGreaterThan(0)
      expect(seconds).toEqual(seconds.toSorted((one, other) => other - one))
    }
    // A worker is kept only from one file to the next of the same project.
    const projects = sorted.map(({ project }) => project.name)
    expect(projects).toEqual(projects.toSorted())
    expect(paths.toSorted()).toEqual(files.map(({ moduleId }) => moduleId.slice(ROOT.length)).toSorted())
  } finally {
    await vitest.close()
  }
})
