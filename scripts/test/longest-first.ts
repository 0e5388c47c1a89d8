/**
 * The order of the test files: those that take longest come first, so that both workers end at about the same time. How
 * long they take stands in longest-first.json, in seconds, for those of more than a quarter of a minute; of all others the larger
 * file comes first. Only the order of the seconds matters, so they may be rough.
 */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

const SECONDS = new Map(
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- held by longest-first.test.ts
  Object.entries(JSON.parse(readFileSync(new URL('longest-first.json', import.meta.url), 'utf8')) as Seconds),
)

export type Seconds = Readonly<Record<string, number>>

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification) => SECONDS.get(relative(this.ctx.config.root, moduleId)) ?? 0
    // Sorting is stable, so what is not listed stays as Vitest would have it. Files of a project stay together: a worker
    // is used again only when the next file is of the same one.
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's
    const sorted = await super.sort(files)
    const projects = [...Map.groupBy(sorted, ({ project }) => project.name).values()]
    return projects.flatMap((ofOne) => ofOne.toSorted((one, other) => secondsOf(other) - secondsOf(one)))
  }
}
