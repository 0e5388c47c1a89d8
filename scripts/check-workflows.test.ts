/** The check of workflows finds each planted violation at its line, and passes the clean twin. */
import { expect, test } from 'vitest'
import { checkWorkflows } from './check-workflows.ts'

const COMMIT = '3d3c42e5aac5ba805825da76410c181273ba90b1'
const CLEAN = `on: push
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@${COMMIT} # v7.0.1
      - uses: ./.github/actions/setup
      - run: echo "\${{ github.sha }}"
`
const ACTION = `name: setup
description: Set up
runs:
  using: composite
  steps:
    - uses: actions/cache@${COMMIT} # v6.1.0
`

const found = async (text: string, file = '.github/workflows/check.yml') =>
  (await checkWorkflows(new Map([[file, text]]))).map(({ line, rule }) => `${line} ${rule}`)

test('a workflow that keeps the rules passes', async () => {
  expect(await found(CLEAN)).toEqual([])
})

test.each([
  ['an action named by its tag', `@${COMMIT} # v7.0.1`, '@v7', '9 pinned'],
  ['an action named by a short commit', COMMIT, COMMIT.slice(0, 7), '9 pinned'],
  ['a commit without its version', ' # v7.0.1', '', '9 pinned'],
  ['a commit whose comment is no full version', '# v7.0.1', '# v7', '9 pinned'],
  ['a container as an action', `actions/checkout@${COMMIT} # v7.0.1`, 'docker://alpine:3', '9 pinned'],
  ['a workflow without permissions', 'permissions:\n  contents: read\n', '', '1 permissions'],
  ['a job without a timeout', '    timeout-minutes: 5\n', '', '5 timeout'],
  ['a key that does not exist', 'runs-on', 'run-on', '5 syntax-check'],
  ['a context that does not exist', 'github.sha', 'github.shaa', '11 expression'],
  ['a runner that does not exist', 'ubuntu-24.04', 'ubuntu-24.05', '6 runner-label'],
])('%s is reported', async (_, before, after, violation) => {
  const text = CLEAN.replace(before, after)
  expect(text).not.toBe(CLEAN)
  expect(await found(text)).toContain(violation)
})

test('text that is no YAML is reported, in a workflow and in an action', async () => {
  expect(await found('on: push\njobs: [\n')).toEqual([expect.stringMatching(/syntax-check$/)])
  expect(await found('runs: [\n', '.github/actions/setup/action.yml')).toEqual([expect.stringMatching(/syntax$/)])
})

test('an action of ours is held to pinned actions, too', async () => {
  const file = '.github/actions/setup/action.yml'
  expect(await found(ACTION, file)).toEqual([])
  expect(await found(ACTION.replace(`@${COMMIT} # v6.1.0`, '@v6'), file)).toEqual(['6 pinned'])
})

test('a job that calls a workflow needs a pin and no timeout', async () => {
  const job = (pin: string) =>
    `on: push\npermissions: {}\njobs:\n  call:\n    uses: a/b/.github/workflows/c.yml@${pin}\n`
  expect(await found(job(`${COMMIT} # v1.2.3`))).toEqual([])
  expect(await found(job('main'))).toEqual(['5 pinned'])
})
